package module

import (
	"maps"
	"testing"

	"weighbridge.dev/xk6/ledger"
	"weighbridge.dev/xk6/metric"
	"weighbridge.dev/xk6/plan"
)

func TestMeasuredCallsAreMarkedForTheThresholds(t *testing.T) {
	objectives := []plan.Objective{
		{Scenario: "chat", Measure: "ttft_ms", Max: of(100.0)},
		{Scenario: "other", Measure: "ttft_ms", Max: of(1.0)},
		{Scenario: "chat", Measure: "e2e_ms", Max: of(499.0)},
		{Scenario: "chat", Measure: "attainment_share"},
	}
	attained := func(change func(*ledger.Row)) map[string]float64 {
		row := stream()
		change(&row)
		got := valuesOf(registered(t, objectives...), row)
		marks := map[string]float64{}
		for _, objective := range []string{"0", "1", "2", "3", "good"} {
			if value, marked := got[metric.Attained.Name+"/"+objective]; marked {
				marks[objective] = value
			}
		}
		return marks
	}
	for name, c := range map[string]struct {
		change func(*ledger.Row)
		want   map[string]float64
	}{
		"one bound missed":       {func(*ledger.Row) {}, map[string]float64{"0": 1, "2": 0, "good": 0}},
		"all met":                {func(r *ledger.Row) { r.EndMS = 499 }, map[string]float64{"0": 1, "2": 1, "good": 1}},
		"without the time":       {func(r *ledger.Row) { r.Stream, r.EndMS = false, 1 }, map[string]float64{"2": 1, "good": 1}},
		"failed":                 {func(r *ledger.Row) { r.Outcome = "timeout_idle" }, map[string]float64{"good": 0}},
		"ended by ourselves":     {func(r *ledger.Row) { r.Outcome = "aborted" }, map[string]float64{}},
		"planned in the warm-up": {func(r *ledger.Row) { r.Phase = plan.WarmUp }, map[string]float64{}},
	} {
		got := attained(c.change)
		if len(got) != len(c.want) {
			t.Errorf("%s: expected %v, found %v", name, c.want, got)
		}
		for objective, value := range c.want {
			if found, marked := got[objective]; !marked || found != value {
				t.Errorf("%s: objective %s: expected %v, found %v (%v)", name, objective, value, found, marked)
			}
		}
	}
}

// attempt n of a call, which started so many seconds after 12:00.
func attempt(n int, second string, change func(*ledger.Row)) ledger.Row {
	row := stream()
	row.Attempt, row.StartedAt = n, "2026-01-01T12:00:"+second+"Z"
	change(&row)
	return row
}

func ended(o string) func(*ledger.Row) { return func(r *ledger.Row) { r.Outcome = o } }

func TestOnlyTheLastAttemptOfACallIsJudged(t *testing.T) {
	objectives := []plan.Objective{
		{Scenario: "chat", Measure: "ttft_ms", Max: of(1_600.0)}, {Scenario: "chat", Measure: "e2e_ms", Max: of(1_999.0)},
	}
	noJobs := func(r *ledger.Row) {
		r.Kind, r.Outcome, r.Status, r.ErrorCode = "image_job", "http_error", of(404), of("not_found")
	}
	refused := attempt(1, "00.000", ended("http_error"))
	for name, c := range map[string]struct {
		rows []ledger.Row
		want map[string][]float64
	}{
		"made again and ok": {
			[]ledger.Row{refused, attempt(2, "01.500", ended("ok"))},
			// 1,500 ms and 100 to the first token, 500 to the end.
			map[string][]float64{"ok": {1}, "0": {1}, "1": {0}, "good": {0}},
		},
		"made again in vain": {
			[]ledger.Row{refused, attempt(2, "01.500", ended("http_error"))}, map[string][]float64{"ok": {0}, "good": {0}},
		},
		"made again and not sent": {
			[]ledger.Row{refused, attempt(2, "01.500", ended("not_sent"))}, map[string][]float64{"ok": {0}, "good": {0}},
		},
		"made again and cut by us": {[]ledger.Row{refused, attempt(2, "01.500", ended("aborted"))}, map[string][]float64{}},
		"cut by us":                {[]ledger.Row{attempt(1, "00.000", ended("aborted"))}, map[string][]float64{}},
		"interrupted":              {[]ledger.Row{attempt(1, "00.000", ended("interrupted"))}, map[string][]float64{}},
		"not sent":                 {[]ledger.Row{attempt(1, "00.000", ended("not_sent"))}, map[string][]float64{}},
		"a job route that is not there": {
			[]ledger.Row{attempt(1, "00.000", noJobs)}, map[string][]float64{},
		},
		"a job of an unknown model": {
			[]ledger.Row{attempt(1, "00.000", func(r *ledger.Row) { noJobs(r); r.ErrorCode = of("model_not_found") })},
			map[string][]float64{"ok": {0}, "good": {0}},
		},
		"another route that is not there": {
			[]ledger.Row{attempt(1, "00.000", func(r *ledger.Row) { noJobs(r); r.Kind = "chat" })},
			map[string][]float64{"ok": {0}, "good": {0}},
		},
	} {
		got, calls := map[string][]float64{}, 0.0
		for _, sample := range samplesOfCall(registered(t, objectives...), c.rows...) {
			switch sample.Metric.Name {
			case metric.Ok.Name:
				got["ok"] = append(got["ok"], sample.Value)
			case metric.Attained.Name:
				objective, _ := sample.Tags.Get(metric.TagObjective)
				got[objective] = append(got[objective], sample.Value)
			case metric.Calls.Name:
				calls += sample.Value
			}
		}
		if !maps.EqualFunc(got, c.want, func(a, b []float64) bool { return len(a) == 1 && len(b) == 1 && a[0] == b[0] }) {
			t.Errorf("%s: expected %v, found %v", name, c.want, got)
		}
		if calls != float64(len(c.rows)) {
			t.Errorf("%s: %v rows counted, expected %d", name, calls, len(c.rows))
		}
	}
}
