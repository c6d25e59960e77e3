package load

import (
	"strings"
	"testing"

	"weighbridge.dev/xk6/plan"
)

func TestAnInstanceIsNamedAfterItsSegment(t *testing.T) {
	segment, whole := "1/3:2/3", "0:1"
	for name, c := range map[string]struct {
		given    string
		segment  *string
		segments int
		want     string
	}{
		"alone":                    {"", nil, 1, "i0"},
		"one segment for all":      {"", &whole, 1, "i0"},
		"one of three":             {"", &segment, 3, "1_3-2_3"},
		"a name that it was given": {"east-1", &segment, 3, "east-1"},
	} {
		run := newRun(t, Settings{Instance: c.given})
		if err := run.TakeSegment(c.segment, c.segments); err != nil || run.Instance != c.want {
			t.Errorf("%s: %s, %v", name, run.Instance, err)
		}
		if !instancePattern.MatchString(run.Instance) {
			t.Errorf("%s: %s is no name of an instance", name, run.Instance)
		}
	}
}

func TestAPlanForSeveralIsDrivenByNoOtherNumber(t *testing.T) {
	segment := "0:1/3"
	for instances, refused := range map[int]bool{0: false, 3: false, 1: true, 2: true} {
		run := newRun(t, Settings{})
		run.Plan = &plan.Plan{Instances: instances}
		err := run.TakeSegment(&segment, 3)
		if (err != nil) != refused {
			t.Errorf("a plan for %d: %v", instances, err)
		}
		if refused && !strings.Contains(err.Error(), "this sequence has 3") {
			t.Error(err)
		}
	}
	rps := 50.0
	limited := newRun(t, Settings{})
	limited.Plan = &plan.Plan{Workload: plan.Workload{HTTP: plan.HTTP{RPS: &rps}}}
	if err := limited.TakeSegment(&segment, 3); err == nil || !strings.Contains(err.Error(), "http.rps") {
		t.Errorf("k6 holds http.rps for itself: %v", err)
	}
	run := newRun(t, Settings{})
	run.Plan = &plan.Plan{Instances: 3}
	if err := run.TakeSegment(nil, 1); err == nil {
		t.Error("a k6 without a segment would make the whole load")
	}
}
