package arrivals

import (
	"context"
	"fmt"
	"math/big"
	"runtime"
	"sync"
	"time"

	"go.k6.io/k6/v2/lib"
	"go.k6.io/k6/v2/lib/executor"
	"go.k6.io/k6/v2/metrics"

	"weighbridge.dev/xk6/clock"
	"weighbridge.dev/xk6/load"
	"weighbridge.dev/xk6/plan"
)

// Executor makes starts at the times of its schedule and never later to catch up: a start without a free slot is
// dropped and counted. In a closed loop it makes a start whenever a slot is free.
type Executor struct {
	*executor.BaseExecutor
	config   Config
	state    *lib.ExecutionState
	schedule *Schedule

	run      *load.Run
	workload plan.Workload
	model    string // empty where the plan does not name the scenario
	slots    int64  // of this execution segment
	times    times  // nil in a closed loop
	share    *share
	counts   *load.ScenarioCounts
	tally    *tally
}

var _ lib.Executor = &Executor{}

// Init takes this process's part of the planned starts.
func (e *Executor) Init(context.Context) error {
	run, err := load.Current()
	if err != nil {
		return err
	}
	if err := e.join(run); err != nil {
		return err
	}
	// All virtual users are made by now: their litter must not be collected during the first calls.
	collected.Do(runtime.GC)
	return nil
}

var collected sync.Once

// join takes the executor's part in a run.
func (e *Executor) join(run *load.Run) (err error) {
	e.run, e.counts = run, run.Counts.Of(e.config.GetName())
	if run.Plan != nil {
		e.workload = run.Plan.Workload
		if planned, known := e.workload.ScenarioNamed(e.config.GetName()); known {
			e.model = planned.Model
		}
	}
	if err := e.takeShare(); err != nil {
		return err
	}
	e.tally, err = newTally(e.state.Test, e.config.GetName())
	return err
}

// takeShare finds what of starts, slots and caps belongs to this execution segment.
func (e *Executor) takeShare() (err error) {
	et := e.state.ExecutionTuple
	if et.Segment != nil {
		length := et.Segment.InPlaceScaleRat(big.NewRat(1, 1))
		e.run.Cap.Share(length.Num(), length.Denom())
	}
	e.run.InFlight.Share(func(limit int64) int64 { return partOf(et, limit) })
	if err := checkRoom(et, e.config.slots(), e.run.InFlight.Caps(e.model)); err != nil {
		return fmt.Errorf("scenario %s: %w", e.config.GetName(), err)
	}
	e.slots = et.ScaleInt64(e.config.slots())
	if e.share, err = shareOf(et, e.config.slots()); err != nil || e.config.Concurrency != nil {
		return err
	}
	replayed, err := e.run.Trace(e.config.GetName())
	if err != nil {
		return err
	}
	e.times, err = e.config.timesOf(e.schedule, replayed)
	return err
}

// Run makes the starts and waits for what is in flight, at most gracefulStop.
func (e *Executor) Run(parent context.Context, out chan<- metrics.SampleContainer) error {
	ctx, cancel := context.WithCancel(parent)
	defer cancel()
	started := time.Now()
	progress := e.progressOf(started)
	defer show(e.GetProgress(), progress)()
	ctx = lib.WithScenarioState(ctx, &lib.ScenarioState{
		Name: e.config.GetName(), Executor: Type, StartTime: started,
		ProgressFn: progress,
	})
	stopTally := e.tally.every(tallyInterval, out)
	defer stopTally()
	p, err := newPool(ctx, cancel, e)
	if err != nil {
		return err
	}
	begin := clock.Now()
	e.run.Begin(begin)
	if e.times == nil {
		e.loop(ctx, begin, p)
	} else {
		e.dispatch(ctx, begin, p)
	}
	p.end()
	e.drain(ctx, p)
	p.close()
	return p.aborted()
}

// rest keeps the scenario alive to the end of its last stage, so that a rate of 0 lasts as long as planned.
func (e *Executor) rest(ctx context.Context, begin clock.Moment) {
	if e.config.MaxCalls != nil {
		return
	}
	timer := time.NewTimer(begin.Add(e.schedule.Duration()).Since(clock.Now()))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-e.run.Halt.Done():
	case <-ctx.Done():
	}
}

// drain waits for what is in flight, at most the graceful stop.
func (e *Executor) drain(ctx context.Context, p *pool) {
	timer := time.NewTimer(e.config.GetGracefulStop())
	defer timer.Stop()
	select {
	case <-p.idle():
	case <-timer.C:
	case <-ctx.Done():
	}
}

// halted reports whether no further start may be made.
func (e *Executor) halted(ctx context.Context) bool {
	if ctx.Err() != nil {
		return true
	}
	_, halted := e.run.Halt.Reason()
	return halted
}
