package arrivals

import (
	"context"
	"errors"
	"math"
	"runtime"
	"sync"
	"time"

	"go.k6.io/k6/v2/lib"
	"go.k6.io/k6/v2/lib/executor"
	"go.k6.io/k6/v2/metrics"

	"weighbridge.dev/xk6/clock"
	"weighbridge.dev/xk6/halt"
	"weighbridge.dev/xk6/load"
	"weighbridge.dev/xk6/metric"
)

// Executor starts iterations at the times of its schedule and never later to catch up: a start without a free
// virtual user is dropped and counted.
type Executor struct {
	*executor.BaseExecutor
	config   Config
	state    *lib.ExecutionState
	schedule *Schedule

	run     *load.Run
	slots   []int64 // of this execution segment, nil for all
	tags    *metrics.TagSet
	dropped *metrics.Metric
}

var _ lib.Executor = &Executor{}

// Init takes this process's stripe of the planned starts.
func (e *Executor) Init(context.Context) error {
	run, err := load.Current()
	if err != nil {
		return err
	}
	e.run = run
	// All virtual users are made by now: their litter must not be collected during the first calls.
	collected.Do(runtime.GC)
	if segment := e.state.ExecutionTuple.Segment; segment != nil && segment.FloatLength() < 1 {
		if run.Cap.Limited() {
			return errors.New("an execution segment cannot keep a spend cap: the cap holds within one process; " +
				"give each process a plan with its own share of the cap and no --execution-segment")
		}
		if e.slots, err = stripe(e.state.ExecutionTuple, e.config.MaxInFlight, e.schedule.Count()); err != nil {
			return err
		}
	}
	e.dropped, err = e.state.Test.Registry.NewMetric(metric.Dropped.Name, metrics.Rate)
	if err != nil {
		return err
	}
	e.tags = e.state.Test.RunTags
	if e.state.Test.Options.SystemTags.Has(metrics.TagScenario) {
		e.tags = e.tags.With("scenario", e.config.GetName())
	}
	return nil
}

var collected sync.Once

// stripe lists the planned starts of a segment, as k6's own arrival-rate executors share them out.
func stripe(et *lib.ExecutionTuple, maxInFlight, count int64) ([]int64, error) {
	own, err := et.GetNewExecutionTupleFromValue(maxInFlight)
	if err != nil {
		return nil, err
	}
	slots := []int64{}
	start, offsets, _ := own.GetStripedOffsets()
	for i, n := 0, start; n < count; i, n = i+1, n+offsets[i%len(offsets)] {
		slots = append(slots, n)
	}
	return slots, nil
}

// Run makes the planned starts and waits for what is in flight, at most gracefulStop.
func (e *Executor) Run(parent context.Context, out chan<- metrics.SampleContainer) error {
	ctx, cancel := context.WithCancel(parent)
	defer cancel()
	start := time.Now()
	ctx = lib.WithScenarioState(ctx, &lib.ScenarioState{
		Name: e.config.GetName(), Executor: Type, StartTime: start,
		ProgressFn: func() (float64, []string) {
			return math.Min(1, float64(time.Since(start))/float64(e.schedule.Duration())), nil
		},
	})
	pool, err := newPool(ctx, e)
	if err != nil {
		return err
	}
	defer pool.close(cancel)
	begin := clock.Now()
	e.dispatch(ctx, begin, pool, out)
	e.drain(ctx, pool)
	return nil
}

// dispatch makes the starts until the last one, a halt, or the end of the run.
func (e *Executor) dispatch(ctx context.Context, begin clock.Moment, pool *pool, out chan<- metrics.SampleContainer) {
	counts := e.run.Counts.Of(e.config.GetName())
	count := e.count()
	made := int64(0)
	defer func() {
		// What was not due when the run was halted is held back, so that planned = started + dropped + held.
		counts.Planned.Add(count - made)
		counts.Held.Add(count - made)
	}()
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for ; made < count; made++ {
		slot := e.slot(made)
		planned := begin.Add(e.schedule.At(slot))
		timer.Reset(planned.Since(clock.Now()))
		select {
		case <-timer.C:
		case <-e.run.Halt.Done():
			return
		case <-ctx.Done():
			e.run.Halt.Set(halt.Interrupted)
			return
		}
		if _, halted := e.run.Halt.Reason(); halted { // both were ready
			return
		}
		e.run.Counts.Late(clock.Now().Since(planned))
		counts.Planned.Add(1)
		if pool.start(iteration{slot: slot, local: made, planned: planned}) {
			counts.Started.Add(1)
			e.push(out, true)
		} else {
			counts.Dropped.Add(1)
			e.push(out, false)
		}
	}
	e.rest(ctx, timer, begin)
}

// rest keeps the scenario alive to the end of its last stage, so that a rate of 0 lasts as long as planned.
func (e *Executor) rest(ctx context.Context, timer *time.Timer, begin clock.Moment) {
	if e.config.MaxCalls != nil {
		return
	}
	timer.Reset(begin.Add(e.schedule.Duration()).Since(clock.Now()))
	select {
	case <-timer.C:
	case <-e.run.Halt.Done():
	case <-ctx.Done():
	}
}

// drain waits for the iterations in flight, at most the graceful stop.
func (e *Executor) drain(ctx context.Context, pool *pool) {
	timer := time.NewTimer(e.config.GetGracefulStop())
	defer timer.Stop()
	select {
	case <-pool.idleAll():
	case <-timer.C:
	case <-ctx.Done():
		e.run.Halt.Set(halt.Interrupted)
	}
}

func (e *Executor) count() int64 {
	if e.slots != nil {
		return int64(len(e.slots))
	}
	return e.schedule.Count()
}

func (e *Executor) slot(i int64) int64 {
	if e.slots != nil {
		return e.slots[i]
	}
	return i
}

// push tells k6 about a planned start.
func (e *Executor) push(out chan<- metrics.SampleContainer, started bool) {
	now := time.Now()
	samples := metrics.Samples{{
		TimeSeries: metrics.TimeSeries{Metric: e.dropped, Tags: e.tags}, Time: now, Value: metrics.B(!started),
	}}
	if !started {
		samples = append(samples, metrics.Sample{
			TimeSeries: metrics.TimeSeries{Metric: e.state.Test.BuiltinMetrics.DroppedIterations, Tags: e.tags},
			Time:       now, Value: 1,
		})
	}
	out <- samples
}
