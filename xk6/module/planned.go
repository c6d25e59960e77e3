package module

import (
	"errors"
	"sync"

	"github.com/grafana/sobek"
	"go.k6.io/k6/v2/js/common"
	"go.k6.io/k6/v2/lib"

	"weighbridge.dev/xk6/load"
	"weighbridge.dev/xk6/plan"
	"weighbridge.dev/xk6/traffic"
)

// planned are the calls of this process's plan: its files of prompts are read on first use. A script may ask for a call
// before the output has named the instance after its segment: then they are made anew, under that name.
var planned struct {
	mu       sync.Mutex
	instance string
	calls    *traffic.Calls
	err      error
}

func plannedCalls(run *load.Run) (*traffic.Calls, error) {
	if run.Plan == nil {
		return nil, errors.New("WEIGHBRIDGE_PLAN: expected the path of a plan.json (weighbridge plan --out FILE writes one), found nothing")
	}
	planned.mu.Lock()
	defer planned.mu.Unlock()
	if planned.instance != run.Instance {
		planned.instance = run.Instance
		planned.calls, planned.err = traffic.New(run.Plan, run.Instance, func(s *plan.Scenario) (func(int64) traffic.Start, error) {
			starts, err := run.Trace(s.Name)
			if err != nil {
				return nil, err
			}
			return func(n int64) traffic.Start {
				sizes, _ := starts.Sizes(n)
				return traffic.Start(sizes)
			}, nil
		})
	}
	return planned.calls, planned.err
}

// plannedCall is plannedCall of the d.ts file.
func (i *instance) plannedCall(arguments sobek.FunctionCall) sobek.Value {
	rt := i.vu.Runtime()
	calls, err := plannedCalls(i.run)
	if err != nil {
		common.Throw(rt, err)
	}
	scenario, n := i.startOf(arguments.Argument(0), arguments.Argument(1))
	turn := int64(1)
	if value := arguments.Argument(2); !common.IsNullish(value) {
		turn = value.ToInteger()
	}
	call, err := calls.Call(scenario, n, turn)
	if err != nil {
		common.Throw(rt, err)
	}
	return rt.NewDynamicObject(&plannedObject{rt: rt, scenario: scenario, n: n, call: call})
}

// startOf are the scenario and the number of a start: those of the iteration where the script does not say.
func (i *instance) startOf(scenario, n sobek.Value) (string, int64) {
	state := i.vu.State()
	named, numbered := !common.IsNullish(scenario), !common.IsNullish(n)
	if state == nil && !(named && numbered) {
		common.Throw(i.vu.Runtime(), common.NewInitContextError(
			"plannedCall: say the scenario and the number of the start outside an iteration"))
	}
	name, number := "", int64(0)
	if named {
		name = scenario.String()
	} else if own := lib.GetScenarioState(i.vu.Context()); own != nil {
		name = own.Name
	}
	if numbered {
		number = n.ToInteger()
	} else if state.GetScenarioGlobalVUIter != nil {
		number = int64(state.GetScenarioGlobalVUIter())
	}
	return name, number
}

// marker is that of a call id under the plan's nonce.
func (i *instance) marker(callID string) string { return traffic.Marker(i.run.Plan.Nonce, callID) }
