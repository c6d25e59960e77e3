package load

import (
	"testing"
	"time"

	"weighbridge.dev/xk6/clock"
	"weighbridge.dev/xk6/halt"
	"weighbridge.dev/xk6/plan"
)

func share(s float64) *float64 { return &s }

// endings plays calls that end one after another, 100 ms apart, and gives the reason and how many were noted by then.
func endings(rules plan.StopRules, statuses ...int) (halt.Reason, int) {
	s := newStopRules(&rules)
	for i, status := range statuses {
		if reason, stop := s.note(clock.Moment(i)*clock.Moment(100*time.Millisecond), status); stop {
			return reason, i + 1
		}
	}
	return "", len(statuses)
}

func TestStopRules(t *testing.T) {
	both := plan.StopRules{OverMS: 1000, MinCalls: 4, Share429: share(0.5), Share5xx: share(0.25)}
	for name, c := range map[string]struct {
		rules    plan.StopRules
		statuses []int
		reason   halt.Reason
		after    int
	}{
		"not before enough calls have ended":          {both, []int{429, 429, 429}, "", 3},
		"the share is passed":                         {both, []int{429, 429, 200, 429}, halt.StopRule429, 4},
		"the share itself is allowed":                 {both, []int{429, 429, 200, 200, 200, 0}, "", 6},
		"a server error":                              {both, []int{200, 503, 200, 500}, halt.StopRule5xx, 4},
		"no answer and other errors count as neither": {both, []int{0, 404, 600, 499, 0, 0}, "", 6},
		"a rule that is not set": {
			plan.StopRules{OverMS: 1000, MinCalls: 2, Share5xx: share(0)}, []int{429, 429, 429, 502}, halt.StopRule5xx, 4,
		},
		"a share of 0 allows none": {plan.StopRules{OverMS: 1000, MinCalls: 1, Share429: share(0)}, []int{200, 429}, halt.StopRule429, 2},
		"a decimal share is met to the digit": {
			plan.StopRules{OverMS: 60_000, MinCalls: 10, Share429: share(0.3)}, []int{429, 429, 429, 0, 0, 0, 0, 0, 0, 0}, "", 10,
		},
	} {
		if reason, after := endings(c.rules, c.statuses...); reason != c.reason || after != c.after {
			t.Errorf("%s: want %q after %d, found %q after %d", name, c.reason, c.after, reason, after)
		}
	}
}

// 20 good calls a window ago do not dilute what happens now, and errors of a window ago are forgotten.
func TestOnlyTheLastWhileCounts(t *testing.T) {
	rules := plan.StopRules{OverMS: 1000, MinCalls: 5, Share429: share(0.5)}
	diluted := append(make([]int, 20), 429, 429, 429, 429, 429, 429)
	if reason, after := endings(rules, diluted...); reason != halt.StopRule429 || after != 26 {
		t.Errorf("found %q after %d", reason, after)
	}
	slow := []int{429, 429, 0, 0, 0, 0, 0, 0, 0, 0, 429, 429, 429, 0, 0, 0, 0, 0, 0, 0}
	if reason, _ := endings(rules, slow...); reason != "" {
		t.Errorf("found %q", reason)
	}
}

func TestAnEndedCallHaltsTheRun(t *testing.T) {
	status, code, otherCode := 429, "insufficient_user_quota", "upstream_crowded"
	one := &plan.StopRules{OverMS: 1000, MinCalls: 1, Share429: share(0.5)}
	for name, c := range map[string]struct {
		rules *plan.StopRules
		call  EndedCall
		want  halt.Reason
	}{
		"no credit left":            {nil, EndedCall{Paid: true, Code: &code}, halt.QuotaExhausted},
		"no credit for a free read": {nil, EndedCall{Code: &code}, halt.QuotaExhausted},
		"another code":              {nil, EndedCall{Paid: true, Code: &otherCode, Status: &status}, ""},
		"a rule":                    {one, EndedCall{Paid: true, Status: &status}, halt.StopRule429},
		"a free read":               {one, EndedCall{Status: &status}, ""},
		"no answer":                 {one, EndedCall{Paid: true}, ""},
	} {
		run := newRun(t, Settings{})
		run.stopRules = newStopRules(c.rules)
		run.CallEnded(c.call)
		if reason, _ := run.Halt.Reason(); reason != c.want {
			t.Errorf("%s: want %q, found %q", name, c.want, reason)
		}
	}
}
