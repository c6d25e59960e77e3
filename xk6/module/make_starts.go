package module

import (
	"context"
	"math/rand/v2"
	"sync"

	"github.com/grafana/sobek"
	"go.k6.io/k6/v2/js/common"
	"go.k6.io/k6/v2/lib"

	"weighbridge.dev/xk6/call"
	"weighbridge.dev/xk6/load"
	"weighbridge.dev/xk6/plan"
	"weighbridge.dev/xk6/traffic"
)

// makeStarts makes all starts of a virtual user of a pool, without a word of JavaScript for each of them, and resolves to
// true after the last one. It resolves to false at once where a start is more than one text call: a session, an image,
// a video. streamAll streams calls that the plan makes plain.
func (i *instance) makeStarts(streamAll bool) *sobek.Promise {
	rt := i.vu.Runtime()
	promise, resolve, reject := rt.NewPromise()
	state := i.vu.State()
	queue, known := i.queue()
	if !known {
		_ = reject(rt.NewGoError(errNoPool))
		return promise
	}
	ctx := i.vu.Context()
	scenario := lib.GetScenarioState(ctx)
	calls, err := plannedCalls(i.run)
	if err != nil {
		common.Throw(rt, err)
	}
	if scenario == nil || !isOneTextCall(i.run.Plan, scenario.Name) {
		_ = resolve(false)
		return promise
	}
	c := i.ofPlan()
	c.transport(state) // prepared here, on the event loop
	m := &starts{client: c, calls: calls, scenario: scenario.Name, state: state, queue: queue, streamAll: streamAll}
	callback := i.vu.RegisterCallback()
	go func() {
		m.makeAll(ctx)
		callback(func() error { return resolve(true) })
	}()
	return promise
}

// makeStart makes the start of the iteration at hand, where that is one text call, and tells whether it did: the rest is
// for a script. It returns when the call is over, as the calls of k6/http do. Nothing else of the virtual user could run
// meanwhile, so it needs no promise, and no goroutine beside the one that it would keep waiting.
func (i *instance) makeStart(arguments sobek.FunctionCall) sobek.Value {
	rt := i.vu.Runtime()
	state, ctx := i.vu.State(), i.vu.Context()
	if state == nil {
		common.Throw(rt, common.NewInitContextError("makeStart: starts are made in an iteration"))
	}
	scenario := lib.GetScenarioState(ctx)
	calls, err := plannedCalls(i.run)
	if err != nil {
		common.Throw(rt, err)
	}
	if scenario == nil || state.GetScenarioGlobalVUIter == nil || !isOneTextCall(i.run.Plan, scenario.Name) {
		return rt.ToValue(false)
	}
	c := i.ofPlan()
	c.transport(state)
	streamAll := arguments.Argument(0).ToBoolean()
	m := &starts{client: c, calls: calls, scenario: scenario.Name, state: state, streamAll: streamAll}
	m.make(ctx, int64(state.GetScenarioGlobalVUIter()))
	return rt.ToValue(true)
}

// needsScript tells whether some start of the plan is more than one text call.
func (i *instance) needsScript() bool {
	if i.run.Plan == nil {
		return true
	}
	for _, scenario := range i.run.Plan.Workload.Scenarios {
		if !isOneTextCall(i.run.Plan, scenario.Name) {
			return true
		}
	}
	return false
}

// ofPlan is the client of this virtual user's starts: its target and timeouts are the plan's.
func (i *instance) ofPlan() *client {
	if i.client == nil {
		c, err := clientOf(i, sobek.Undefined())
		if err != nil {
			common.Throw(i.vu.Runtime(), err)
		}
		i.client = c
		// k6 gives each virtual user a generator of 5 KB of its own, and here nothing may ever ask it.
		i.vu.Runtime().SetRandSource(rand.Float64)
	}
	return i.client
}

// isOneTextCall tells whether each start of a scenario is one call that needs nothing of a script.
func isOneTextCall(p *plan.Plan, name string) bool {
	scenario, known := p.Workload.ScenarioNamed(name)
	return known && scenario.Text != nil && scenario.Text.Session == nil
}

// starts are those that one virtual user makes in one iteration.
type starts struct {
	client    *client
	calls     *traffic.Calls
	scenario  string
	state     *lib.State
	queue     *load.StartQueue
	streamAll bool
}

// makeAll returns when the last start is over.
func (m *starts) makeAll(ctx context.Context) {
	var workers sync.WaitGroup
	defer workers.Wait()
	idle := make(chan int64) // to a worker that waits: a new one for each call would grow its stack anew
	defer close(idle)
	over := make(chan struct{})
	var take func(load.Start, bool)
	take = func(start load.Start, more bool) {
		if !more {
			close(over)
			return
		}
		select {
		case idle <- start.N:
		default:
			workers.Add(1)
			go func() {
				defer workers.Done()
				m.work(ctx, start.N, idle)
			}()
		}
		m.queue.Next(ctx, take)
	}
	m.queue.Next(ctx, take)
	<-over
}

// work makes a start and those that follow it.
func (m *starts) work(ctx context.Context, n int64, more <-chan int64) {
	for another := true; another; n, another = <-more {
		m.make(ctx, n)
		m.queue.Done(n)
	}
}

// make makes the call of a start. What goes wrong in it is misuse, not what the target did: it must not end the others.
func (m *starts) make(ctx context.Context, n int64) {
	caller, flush := m.client.caller(ctx, m.state, &n)
	defer flush()
	_, err := guarded(ctx, caller, nil, func(ctx context.Context, caller *call.Caller, _ *request) (*call.Result, error) {
		planned, err := m.calls.Call(m.scenario, n, 1)
		if err != nil {
			return nil, err
		}
		stream := planned.Stream || m.streamAll && planned.Kind != "embedding"
		req, err := m.client.request(requestOf(planned, n), "", stream)
		if err != nil {
			return nil, err
		}
		return caller.Call(ctx, req)
	})
	if err != nil {
		m.state.Logger.Errorf("start %d of %s: %s", n, m.scenario, m.client.instance.run.Key.Prose(err.Error()))
	}
}

// requestOf is the request that names a planned call and nothing else.
func requestOf(planned traffic.Call, n int64) *request {
	r := &request{planned: &plannedObject{n: n, call: planned}}
	r.adopt()
	return r
}
