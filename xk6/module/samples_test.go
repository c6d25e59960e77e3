package module

import (
	"slices"
	"testing"

	"go.k6.io/k6/v2/metrics"

	"weighbridge.dev/xk6/ledger"
	"weighbridge.dev/xk6/load"
	"weighbridge.dev/xk6/metric"
	"weighbridge.dev/xk6/plan"
)

func of[T any](value T) *T { return &value }

func stream() ledger.Row {
	return ledger.Row{
		Kind: "chat", Scenario: "chat", Phase: plan.Measured, Outcome: "ok", Attempt: 1, Stream: true, Model: of("m"),
		ScheduleLagMS: of(2.0), TTFTMS: of(100.0), TTFOMS: of(110.0), EndMS: 500, MaxGapMS: of(30.0),
		ITL: [][2]float64{{10, 3}, {30, 1}}, Usage: &ledger.Usage{Input: of(int64(7)), Output: of(int64(11))},
	}
}

func registered(t *testing.T, objectives ...plan.Objective) *loadMetrics {
	t.Helper()
	run, err := load.New(load.Settings{Instance: "i0"})
	if err != nil {
		t.Fatal(err)
	}
	if len(objectives) > 0 {
		run.Plan = &plan.Plan{Workload: plan.Workload{Objectives: objectives}}
	}
	m, err := register(metrics.NewRegistry(), run)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// samplesOfCall gives those of one logical call, whose attempts the rows are.
func samplesOfCall(m *loadMetrics, rows ...ledger.Row) metrics.Samples {
	own := &callSamples{metrics: m, tags: metrics.TagsAndMeta{Tags: m.root.With("scenario", rows[0].Scenario)}}
	for _, row := range rows {
		own.add(&row)
	}
	return own.all()
}

func valuesOf(m *loadMetrics, row ledger.Row) map[string]float64 {
	values := map[string]float64{}
	for _, sample := range samplesOfCall(m, row) {
		name := sample.Metric.Name
		if objective, has := sample.Tags.Get(metric.TagObjective); has {
			name += "/" + objective
		}
		if _, twice := values[name]; twice {
			panic(name + " twice for one call")
		}
		values[name] = sample.Value
	}
	return values
}

func TestACallGivesEachMetricOnce(t *testing.T) {
	m := registered(t)
	got := valuesOf(m, stream())
	want := map[string]float64{
		metric.Calls.Name: 1, metric.Ok.Name: 1, metric.ScheduleLag.Name: 2, metric.Duration.Name: 500,
		metric.DurationFromPlan.Name: 502, metric.Ttft.Name: 100, metric.Ttfo.Name: 110, metric.Tpot.Name: 40,
		metric.ItlMean.Name: 15, metric.ItlMax.Name: 30, metric.TokensIn.Name: 7, metric.TokensOut.Name: 11,
	}
	if len(got) != len(want) {
		t.Errorf("expected %d metrics, found %v", len(want), got)
	}
	for name, value := range want {
		if got[name] != value {
			t.Errorf("%s: expected %v, found %v", name, value, got[name])
		}
	}
}

func TestAFailedCallHasNoTimes(t *testing.T) {
	row := stream()
	row.Outcome, row.Attempt = "http_error", 2
	got := valuesOf(registered(t), row)
	if got[metric.Ok.Name] != 0 || got[metric.Retries.Name] != 1 || got[metric.Calls.Name] != 1 {
		t.Errorf("%v", got)
	}
	if _, timed := got[metric.Duration.Name]; timed {
		t.Errorf("a failed call has times: %v", got)
	}
	row.Outcome = "not_sent"
	if _, judged := valuesOf(registered(t), row)[metric.Ok.Name]; judged {
		t.Error("a call that was never sent counts as failed")
	}
	row.Kind = "poll"
	if got := valuesOf(registered(t), row); len(got) != 0 {
		t.Errorf("a free call gives samples: %v", got)
	}
}

func TestTagsAreAClosedSet(t *testing.T) {
	m := registered(t, plan.Objective{Scenario: "chat", Measure: "ttft_ms", Max: of(1.0)})
	known := []string{
		metric.TagKind, metric.TagModel, metric.TagOutcome, metric.TagPhase, metric.TagScenario, metric.TagObjective,
	}
	series := map[metrics.TimeSeries]bool{}
	for i := range 1000 {
		row := stream()
		row.CallID, row.RequestID = string(rune('a'+i)), of(string(rune('a'+i)))
		row.ResponseModel, row.ErrorMessage = row.RequestID, row.RequestID
		for _, sample := range samplesOfCall(m, row) {
			series[sample.TimeSeries] = true
			for name := range sample.Tags.Map() {
				if !slices.Contains(known, name) {
					t.Fatalf("%s has the tag %s", sample.Metric.Name, name)
				}
			}
		}
	}
	if len(series) != 14 {
		t.Errorf("1,000 like calls make %d series, expected 14", len(series))
	}
}
