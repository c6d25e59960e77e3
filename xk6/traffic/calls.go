// Package traffic plans the calls of a run as planCall of src/workload/call-plan.ts does, byte for byte: that is the
// specification, test/corpus/planned-calls.json holds what it gives, and this is what makes the calls.
package traffic

import (
	"fmt"

	"weighbridge.dev/xk6/plan"
)

// Calls plans the calls of all scenarios of a plan; safe for concurrent use.
type Calls struct{ byName map[string]*scenario }

// Trace gives what the trace of a scenario says of its starts.
type Trace func(shape *plan.Scenario) (func(n int64) Start, error)

// New reads the files of prompts that the plan names. trace is asked for each scenario that replays one.
func New(p *plan.Plan, instance string, trace Trace) (*Calls, error) {
	calls := &Calls{byName: map[string]*scenario{}}
	files := map[plan.PromptFile][]string{}
	for i := range p.Workload.Scenarios {
		shape := &p.Workload.Scenarios[i]
		s, err := newScenario(p, instance, shape)
		if err != nil {
			return nil, err
		}
		if shape.Arrival.Trace != nil {
			starts, err := trace(shape)
			if err != nil {
				return nil, fmt.Errorf("scenario %s: %w", shape.Name, err)
			}
			s.trace = starts
		}
		if s.text != nil && s.text.Prompts != nil {
			file := besidePlan(p.Path, *s.text.Prompts)
			if _, known := files[file]; !known {
				prompts, err := ReadPrompts(file)
				if err != nil {
					return nil, fmt.Errorf("scenario %s: %w", shape.Name, err)
				}
				files[file] = prompts
			}
			s.prompts = files[file]
		}
		calls.byName[shape.Name] = s
	}
	return calls, nil
}

// Call plans call n (from 0) of a scenario; turn is 1 but in a session, where it goes up to Call.Turns.
func (c *Calls) Call(name string, n, turn int64) (Call, error) {
	s, known := c.byName[name]
	if !known {
		return Call{}, fmt.Errorf("the plan has no scenario %s", name)
	}
	if n < 0 {
		return Call{}, fmt.Errorf("a call of %s: expected a number from 0 on, found %d", name, n)
	}
	if turns := s.turns(n); turn < 1 || turn > turns {
		return Call{}, fmt.Errorf("call %d of %s: expected a turn from 1 to %d, found %d", n, name, turns, turn)
	}
	return s.call(n, turn), nil
}
