package module

import (
	"context"
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
func (c *client) makeStarts(streamAll bool) *sobek.Promise {
	rt := c.instance.vu.Runtime()
	promise, resolve, reject := rt.NewPromise()
	state := c.instance.vu.State()
	queue, known := c.instance.queue()
	if !known {
		_ = reject(rt.NewGoError(errNoPool))
		return promise
	}
	ctx := c.instance.vu.Context()
	scenario := lib.GetScenarioState(ctx)
	calls, err := plannedCalls(c.instance.run)
	if err != nil {
		common.Throw(rt, err)
	}
	if scenario == nil || !isOneTextCall(c.instance.run.Plan, scenario.Name) {
		_ = resolve(false)
		return promise
	}
	c.transport(state) // prepared here, on the event loop
	m := &starts{client: c, calls: calls, scenario: scenario.Name, state: state, queue: queue, streamAll: streamAll}
	callback := c.instance.vu.RegisterCallback()
	go func() {
		m.makeAll(ctx)
		callback(func() error { return resolve(true) })
	}()
	return promise
}

// makeStart makes the start of the iteration at hand, where that is one text call, and resolves when it is over; null
// where a script has to make it.
func (c *client) makeStart(streamAll bool) sobek.Value {
	rt := c.instance.vu.Runtime()
	state, ctx := c.instance.vu.State(), c.instance.vu.Context()
	if state == nil {
		common.Throw(rt, common.NewInitContextError("makeStart: starts are made in an iteration"))
	}
	scenario := lib.GetScenarioState(ctx)
	calls, err := plannedCalls(c.instance.run)
	if err != nil {
		common.Throw(rt, err)
	}
	if scenario == nil || state.GetScenarioGlobalVUIter == nil || !isOneTextCall(c.instance.run.Plan, scenario.Name) {
		return sobek.Null()
	}
	c.transport(state)
	promise, resolve, _ := rt.NewPromise()
	m := &starts{client: c, calls: calls, scenario: scenario.Name, state: state, streamAll: streamAll}
	n := int64(state.GetScenarioGlobalVUIter())
	callback := c.instance.vu.RegisterCallback()
	go func() {
		m.make(ctx, n)
		callback(func() error { return resolve(sobek.Undefined()) })
	}()
	return rt.ToValue(promise)
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
	type handed struct {
		n    int64
		more bool
	}
	next := make(chan handed, 1) // one is asked for at a time, so that handing over never blocks
	for {
		m.queue.Next(ctx, func(start load.Start, more bool) { next <- handed{start.N, more} })
		start := <-next
		if !start.more {
			return
		}
		select {
		case idle <- start.n:
		default:
			workers.Add(1)
			go func() {
				defer workers.Done()
				m.work(ctx, start.n, idle)
			}()
		}
	}
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
		stream := planned.Stream || m.streamAll
		req, err := m.client.request(requestOf(planned, n), "", stream)
		if err != nil {
			return nil, err
		}
		return caller.Call(ctx, req)
	})
	if err != nil {
		m.state.Logger.Errorf("start %d of %s: %s", n, m.scenario, m.client.instance.run.Key.Scrub(err.Error()))
	}
}

// requestOf is the request that names a planned call and nothing else.
func requestOf(planned traffic.Call, n int64) *request {
	r := &request{planned: &plannedObject{n: n, call: planned}}
	r.adopt()
	return r
}
