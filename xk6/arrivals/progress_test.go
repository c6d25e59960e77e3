package arrivals

import (
	"strings"
	"testing"
	"time"

	"go.k6.io/k6/v2/lib"

	"weighbridge.dev/xk6/load"
)

func TestTheProgressBarOfK6Moves(t *testing.T) {
	tuple, err := lib.NewExecutionTuple(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	e, _ := newExecutorIn(t, tuple, Config{MaxInFlight: 1, Stages: []Stage{{DurationMS: 60_000, FromMillirate: 1_000, ToMillirate: 1_000}}})
	e.counts = &load.ScenarioCounts{}
	e.counts.Add(load.Started, true, 3)
	e.counts.Add(load.Dropped, true, 1)
	whole := e.schedule.Duration()
	freeze := show(e.GetProgress(), e.progressOf(time.Now().Add(-whole/2)))
	bar := e.GetProgress().Render(0, 0)
	if shown := strings.Join(bar.Right, " "); !strings.HasSuffix(shown, "/"+whole.String()+" 3 started of 4 due") {
		t.Errorf("the bar shows %q", shown)
	}
	if fill := bar.Progress(); !strings.Contains(fill, "=>") {
		t.Errorf("the bar is %q", fill)
	}
	e.counts.Add(load.Started, true, 1)
	freeze()
	e.counts.Add(load.Started, true, 9)
	if shown := strings.Join(e.GetProgress().Render(0, 0).Right, " "); !strings.HasSuffix(shown, "4 started of 5 due") {
		t.Errorf("at its end the bar shows %q", shown)
	}
	show(struct{}{}, e.progressOf(time.Now()))() // a k6 of other bars
}
