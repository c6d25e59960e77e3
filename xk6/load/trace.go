package load

import (
	"fmt"
	"path/filepath"
	"sync"

	"weighbridge.dev/xk6/trace"
)

// traces holds the run's trace files, each read once per process.
type traces struct {
	mu     sync.Mutex
	byFile map[string]map[string]*trace.Starts
}

// Trace gives the starts that a scenario replays, or nil where the plan names no trace for it.
func (r *Run) Trace(scenario string) (*trace.Starts, error) {
	if r.Plan == nil {
		return nil, nil
	}
	planned, known := r.Plan.Workload.ScenarioNamed(scenario)
	if !known || planned.Arrival.Trace == nil {
		return nil, nil
	}
	ref := planned.Arrival.Trace
	r.traces.mu.Lock()
	defer r.traces.mu.Unlock()
	if r.traces.byFile == nil {
		r.traces.byFile = map[string]map[string]*trace.Starts{}
	}
	starts, read := r.traces.byFile[ref.File]
	if !read {
		var err error
		if starts, err = trace.Read(filepath.Join(filepath.Dir(r.Plan.Path), ref.File), ref.SHA256); err != nil {
			return nil, err
		}
		r.traces.byFile[ref.File] = starts
	}
	own := starts[scenario]
	if own == nil {
		own = &trace.Starts{}
	}
	if own.Count() != ref.Calls {
		return nil, fmt.Errorf("trace %s: expected %d starts of %s as the plan says, found %d",
			ref.File, ref.Calls, scenario, own.Count())
	}
	return own, nil
}
