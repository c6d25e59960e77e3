package arrivals

import (
	"strings"
	"testing"

	"go.k6.io/k6/v2/lib"

	"weighbridge.dev/xk6/load"
	"weighbridge.dev/xk6/plan"
)

// unequal are the tuples of segments of a tenth, a tenth and the rest.
func unequal(t *testing.T) []*lib.ExecutionTuple {
	t.Helper()
	sequence, err := lib.NewExecutionSegmentSequenceFromString("0,1/10,2/10,1")
	if err != nil {
		t.Fatal(err)
	}
	wrapper := lib.NewExecutionSegmentSequenceWrapper(sequence)
	return []*lib.ExecutionTuple{wrapper.GetTuple(0), wrapper.GetTuple(1), wrapper.GetTuple(2)}
}

// joined is what an executor of one segment says when it takes its part of a run.
func joined(t *testing.T, tuple *lib.ExecutionTuple, limits plan.Limits) error {
	t.Helper()
	run, err := load.New(load.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	run.InFlight = load.NewInFlight(limits)
	run.Plan = &plan.Plan{Workload: plan.Workload{Scenarios: []plan.Scenario{{Name: "chat", Model: "m"}}}}
	e, _ := newExecutorIn(t, tuple, Config{Stages: []Stage{{1000, 1000, 100}}, MaxInFlight: 4})
	return e.join(run)
}

func TestOneStartAtATimeNeedsOneSegmentOnly(t *testing.T) {
	for _, tuple := range segmentsOf(t, 2) {
		if err := checkRoom(tuple, 1, []int64{1, 1}); err != nil { // all starts are of the segment that has the place
			t.Error(err)
		}
	}
}

func TestTheSegmentsShareACapWithoutPassingIt(t *testing.T) {
	for name, tuples := range map[string][]*lib.ExecutionTuple{
		"one": segmentsOf(t, 1), "two": segmentsOf(t, 2), "five": segmentsOf(t, 5), "unequal": unequal(t),
	} {
		for limit := range int64(60) {
			var sum, least int64 = 0, limit
			for _, tuple := range tuples {
				own := partOf(tuple, limit)
				sum, least = sum+own, min(least, own)
			}
			if sum != limit {
				t.Errorf("%s: the parts of %d add up to %d", name, limit, sum)
			}
			if limit >= int64(len(tuples)) && least == 0 {
				t.Errorf("%s: a segment has nothing of %d", name, limit)
			}
		}
	}
	if own := partOf(unequal(t)[2], 20); own != 16 {
		t.Errorf("a segment of 8/10 has %d of 20", own)
	}
}

func TestASegmentWithoutAnyRoomIsRefused(t *testing.T) {
	one := int64(1)
	for name, limits := range map[string]plan.Limits{
		"of all":     {MaxInFlight: &one},
		"of a model": {MaxInFlightByModel: map[string]int64{"m": 1}},
	} {
		refused := 0
		for _, tuple := range segmentsOf(t, 2) {
			if err := joined(t, tuple, limits); err != nil {
				refused++
				if !strings.Contains(err.Error(), "expected at least 2, a place in each execution segment, found 1") {
					t.Errorf("%s: %v", name, err)
				}
			}
		}
		if refused != 2 {
			t.Errorf("%s: %d of 2 segments are refused", name, refused)
		}
	}
	for _, tuple := range segmentsOf(t, 2) {
		two := int64(2)
		if err := joined(t, tuple, plan.Limits{MaxInFlight: &two}); err != nil {
			t.Error(err)
		}
	}
}
