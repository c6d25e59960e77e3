package arrivals

import (
	"context"
	"sync"

	"go.k6.io/k6/v2/errext"

	"weighbridge.dev/xk6/halt"
)

// pool holds the slots of the scenario: each virtual user has as many as it holds starts at once. The slot that became
// free last is taken next, so that connections and caches stay warm and no more of both are used than the load needs.
type pool struct {
	executor *Executor
	cancel   context.CancelFunc
	users    []*user
	busy     sync.WaitGroup // starts under way, and iterations in pool mode
	returned sync.WaitGroup // virtual users not yet given back
	freed    chan struct{}  // signalled when a slot became free; a signal stands for one or more

	mu    sync.Mutex
	slots []*user // free ones, each user as often as it has free slots
	over  bool
	cause error // why a script aborted the run
}

func newPool(ctx context.Context, cancel context.CancelFunc, e *Executor) (*pool, error) {
	p := &pool{executor: e, cancel: cancel, freed: make(chan struct{}, 1)}
	for range e.config.virtualUsers(e.slots) {
		initialised, err := e.state.GetPlannedVU(e.GetLogger(), true)
		if err != nil {
			return nil, err
		}
		p.users = append(p.users, newUser(ctx, p, initialised))
	}
	// In turn over the users, so that a load below the most is spread over all of them in pool mode.
	for slot := range e.slots {
		p.slots = append(p.slots, p.users[slot%int64(len(p.users))])
	}
	return p, nil
}

// start hands a start to a virtual user with a free slot, or reports that there is none.
func (p *pool) start(s start) bool {
	u := p.take()
	if u == nil {
		return false
	}
	p.busy.Add(1)
	if u.give(s) {
		return true
	}
	p.busy.Done()
	return false
}

func (p *pool) take() *user {
	p.mu.Lock()
	defer p.mu.Unlock()
	last := len(p.slots) - 1
	if last < 0 {
		return nil
	}
	u := p.slots[last]
	p.slots = p.slots[:last]
	return u
}

// free reports whether a slot is free.
func (p *pool) free() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.slots) > 0
}

// release ends start n of a user.
func (p *pool) release(u *user, n int64) {
	p.executor.run.Planned.Clear(u.id, n)
	p.executor.run.InFlight.Release(p.executor.model)
	p.mu.Lock()
	p.slots = append(p.slots, u)
	p.mu.Unlock()
	select {
	case p.freed <- struct{}{}:
	default:
	}
	p.busy.Done()
}

// end says that no start follows.
func (p *pool) end() {
	p.mu.Lock()
	p.over = true
	p.mu.Unlock()
	for _, u := range p.users {
		u.end()
	}
}

func (p *pool) ended() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.over
}

// idle is closed when nothing is under way.
func (p *pool) idle() <-chan struct{} {
	done := make(chan struct{})
	go func() {
		p.busy.Wait()
		close(done)
	}()
	return done
}

// close gives all virtual users back: what is under way is interrupted.
func (p *pool) close() {
	p.cancel()
	p.busy.Wait()
	for _, u := range p.users {
		u.close()
	}
	p.returned.Wait()
}

// judge takes the end of an iteration: a script's error is logged, as k6's own executors do, and one that aborts the
// test ends the run.
func (p *pool) judge(ctx context.Context, err error) {
	e := p.executor
	switch {
	case ctx.Err() != nil:
		e.state.AddInterruptedIterations(1)
	case errext.IsInterruptError(err):
		e.state.AddInterruptedIterations(1)
		p.abort(err)
	default:
		if err != nil {
			logError(e.GetLogger(), err)
		}
		e.state.AddFullIterations(1)
	}
}

// abort ends the run because a script said so: k6 cancels the other scenarios when this one returns the cause, whose
// exit code it keeps.
func (p *pool) abort(cause error) {
	p.mu.Lock()
	if p.cause == nil {
		p.cause = cause
	}
	p.mu.Unlock()
	p.executor.run.Halt.Set(halt.ScriptAborted)
	p.cancel()
}

func (p *pool) aborted() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.cause
}
