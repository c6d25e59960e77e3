package arrivals

import (
	"context"
	"sync"

	"go.k6.io/k6/v2/lib"

	"weighbridge.dev/xk6/clock"
)

// iteration is one planned start that found a virtual user.
type iteration struct {
	slot, local int64
	planned     clock.Moment
}

// pool holds the virtual users of the scenario. The one that became free last works next, so that connections and
// caches stay warm and no more of both are used than the load needs.
type pool struct {
	executor *Executor
	all      []*worker
	mu       sync.Mutex
	idle     []*worker
	busy     sync.WaitGroup // iterations under way
	returned sync.WaitGroup // virtual users not yet given back
}

type worker struct {
	pool *pool
	id   uint64
	vu   lib.ActiveVU
	work chan iteration
	now  iteration
}

func newPool(ctx context.Context, e *Executor) (*pool, error) {
	size := e.state.ExecutionTuple.ScaleInt64(e.config.MaxInFlight)
	p := &pool{executor: e}
	for range size {
		initialised, err := e.state.GetPlannedVU(e.GetLogger(), true)
		if err != nil {
			return nil, err
		}
		p.returned.Add(1)
		w := &worker{pool: p, id: initialised.GetID(), work: make(chan iteration)}
		w.vu = initialised.Activate(&lib.VUActivationParams{
			RunContext: ctx, Scenario: e.config.GetName(), Exec: e.config.GetExec(),
			Env: e.config.GetEnv(), Tags: e.config.GetTags(),
			DeactivateCallback: func(u lib.InitializedVU) {
				e.state.ReturnVU(u, true)
				p.returned.Done()
			},
			GetNextIterationCounters: func() (uint64, uint64) { return uint64(w.now.local), uint64(w.now.slot) },
		})
		go w.loop(ctx)
		p.all = append(p.all, w)
		p.free(w)
	}
	return p, nil
}

// start hands an iteration to a free virtual user, or reports that there is none.
func (p *pool) start(i iteration) bool {
	w := p.take()
	if w == nil {
		return false
	}
	p.busy.Add(1)
	w.work <- i
	return true
}

func (p *pool) take() *worker {
	p.mu.Lock()
	defer p.mu.Unlock()
	last := len(p.idle) - 1
	if last < 0 {
		return nil
	}
	w := p.idle[last]
	p.idle = p.idle[:last]
	return w
}

func (p *pool) free(w *worker) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle = append(p.idle, w)
}

// idleAll is closed when no iteration is under way.
func (p *pool) idleAll() <-chan struct{} {
	done := make(chan struct{})
	go func() {
		p.busy.Wait()
		close(done)
	}()
	return done
}

// close ends all virtual users: those under way are interrupted.
func (p *pool) close(cancel context.CancelFunc) {
	cancel()
	p.busy.Wait()
	for _, w := range p.all {
		close(w.work)
	}
	p.returned.Wait()
}

func (w *worker) loop(ctx context.Context) {
	for w.now = range w.work {
		w.pool.executor.run.Planned.Set(w.id, w.now.planned)
		w.once(ctx)
		w.pool.executor.run.Planned.Take(w.id)
		w.pool.free(w)
		w.pool.busy.Done()
	}
}

func (w *worker) once(ctx context.Context) {
	e := w.pool.executor
	err := w.vu.RunOnce()
	if ctx.Err() != nil {
		e.state.AddInterruptedIterations(1)
		return
	}
	if err != nil {
		logError(e.GetLogger(), err)
	}
	e.state.AddFullIterations(1)
}
