package arrivals

import (
	"context"
	"sync"

	"go.k6.io/k6/v2/lib"

	"weighbridge.dev/xk6/load"
)

// user is a virtual user. With one slot each start is an iteration. With more, one iteration takes its starts from a
// queue, and another begins where a script's error has ended it.
type user struct {
	pool   *pool
	id     uint64
	vu     lib.ActiveVU
	pooled bool
	work   chan start // an iteration each; in pool mode only the wish that one runs

	now start // of the iteration; written and read between RunOnce calls only

	mu    sync.Mutex
	queue *load.StartQueue // pool mode; nil when the user is gone
}

func newUser(ctx context.Context, p *pool, initialised lib.InitializedVU) *user {
	e := p.executor
	u := &user{pool: p, id: initialised.GetID(), pooled: e.config.CallsPerVU > 1, work: make(chan start, 1)}
	p.returned.Add(1)
	u.vu = initialised.Activate(&lib.VUActivationParams{
		RunContext: ctx, Scenario: e.config.GetName(), Exec: e.config.GetExec(),
		Env: e.config.GetEnv(), Tags: e.config.GetTags(),
		DeactivateCallback: func(returned lib.InitializedVU) {
			e.state.ReturnVU(returned, true)
			p.returned.Done()
		},
		GetNextIterationCounters: func() (uint64, uint64) { return uint64(u.now.local), uint64(u.now.n) },
	})
	if u.pooled {
		u.open()
		go u.serve(ctx)
	} else {
		go u.once(ctx)
	}
	return u
}

// give hands a start over; false when the user takes none any more.
func (u *user) give(s start) bool {
	u.pool.executor.run.Planned.Set(u.id, s.n, s.plan)
	if !u.pooled {
		u.work <- s
		return true
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.queue == nil || !u.queue.Give(load.Start{N: s.n, Scenario: u.pool.executor.config.GetName()}) {
		return false
	}
	u.wake(s)
	return true
}

// wake makes sure that an iteration follows the one under way, or runs at all.
func (u *user) wake(s start) {
	u.pool.busy.Add(1)
	select {
	case u.work <- s:
	default:
		u.pool.busy.Done()
	}
}

// once runs an iteration for each start.
func (u *user) once(ctx context.Context) {
	for u.now = range u.work {
		u.pool.judge(ctx, u.vu.RunOnce())
		u.pool.release(u, u.now.n)
	}
}

// serve runs iterations that take starts until the last one is done.
func (u *user) serve(ctx context.Context) {
	for u.now = range u.work {
		if queue := u.current(); queue != nil && queue.Pending() {
			u.pool.judge(ctx, u.vu.RunOnce())
			u.follow(ctx)
		}
		u.pool.busy.Done()
	}
}

// follow opens the queue of the next iteration: starts that the one before did not take go on to it, those that it took
// are over.
func (u *user) follow(ctx context.Context) {
	u.mu.Lock()
	defer u.mu.Unlock()
	old := u.queue
	untaken := old.Abandon()
	u.queue = nil
	if ctx.Err() != nil {
		for _, left := range untaken {
			u.pool.release(u, left.N)
		}
		return
	}
	u.openLocked()
	for _, left := range untaken {
		u.queue.Give(left)
	}
	if len(untaken) > 0 {
		u.wake(u.now)
	}
	if u.pool.ended() {
		u.queue.End()
	}
}

func (u *user) open() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.openLocked()
}

func (u *user) openLocked() {
	u.queue = u.pool.executor.run.Starts.Open(u.id, func(n int64) { u.pool.release(u, n) })
}

func (u *user) current() *load.StartQueue {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.queue
}

// end says that no start follows.
func (u *user) end() {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.queue != nil {
		u.queue.End()
	}
}

func (u *user) close() {
	close(u.work)
	if queue := u.current(); queue != nil {
		u.pool.executor.run.Starts.Close(u.id, queue)
	}
}
