package arrivals

import (
	"context"
	"time"

	"weighbridge.dev/xk6/clock"
	"weighbridge.dev/xk6/load"
	"weighbridge.dev/xk6/plan"
)

// start is one planned start.
type start struct {
	n     int64 // over all execution segments
	local int64 // within this one
	plan  load.PlannedStart
}

// dispatch makes the planned starts until the last one, a halt, or the end of the run.
func (e *Executor) dispatch(ctx context.Context, begin clock.Moment, p *pool) {
	alarm := newAlarm()
	defer alarm.close()
	count := e.times.Count()
	local := int64(0)
	for n := e.share.take(); n < count; n = e.share.take() {
		offset := e.times.At(n)
		phase := e.workload.PhaseAt(offset)
		planned := begin.Add(offset)
		if !e.await(ctx, alarm, planned) {
			e.hold(n, offset, count)
			return
		}
		fate := e.make(p, start{n: n, local: local, plan: load.PlannedStart{At: planned, Timed: true, Phase: phase}})
		e.counts.Add(fate, phase == plan.Measured, 1)
		e.tally.add(fate, phase == plan.Measured)
		local++
	}
	e.rest(ctx, begin)
}

// await sleeps until a start is due; false when none may be made any more.
func (e *Executor) await(ctx context.Context, alarm *alarm, planned clock.Moment) bool {
	alarm.sleep(ctx, planned, e.run.Halt.Done())
	return !e.halted(ctx)
}

// make hands a due start to a virtual user, unless its model is paused for its key or there is no room for it.
func (e *Executor) make(p *pool, s start) (fate int) {
	now := clock.Now()
	e.run.Counts.Late(now.Since(s.plan.At))
	if e.run.Pauses.Paused(load.Limited{Model: e.model, KeyFP: e.run.Keys.Of(&s.n).Fingerprint()}, now) {
		return load.Held
	}
	if !e.run.InFlight.Take(e.model) {
		return load.Dropped
	}
	if !p.start(s) {
		e.run.InFlight.Release(e.model)
		return load.Dropped
	}
	return load.Started
}

// hold counts what was not due when the run was halted, so that planned = started + dropped + held.
func (e *Executor) hold(n int64, offset time.Duration, count int64) {
	var all, measured int64
	for {
		all++
		if e.workload.PhaseAt(offset) == plan.Measured {
			measured++
		}
		if n = e.share.take(); n >= count {
			break
		}
		offset = e.times.At(n)
	}
	e.counts.Add(load.Held, true, measured)
	e.counts.Add(load.Held, false, all-measured)
}
