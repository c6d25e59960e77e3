package arrivals

import (
	"context"
	"math"
	"time"

	"weighbridge.dev/xk6/clock"
	"weighbridge.dev/xk6/load"
	"weighbridge.dev/xk6/plan"
	"weighbridge.dev/xk6/turnstile"
)

// capRetry is how soon a closed loop looks again whether other scenarios have left room under a cap on what is in
// flight.
const capRetry = 5 * time.Millisecond

// loop makes a start in every slot at once and the next as soon as one ends, until the end of the stages, the last call
// or a halt. No start of it has a planned time, and none is dropped: planned = started.
func (e *Executor) loop(ctx context.Context, begin clock.Moment, p *pool) {
	limit := int64(math.MaxInt64)
	if e.config.MaxCalls != nil {
		limit = *e.config.MaxCalls
	}
	end := time.NewTimer(begin.Add(e.schedule.Duration()).Since(clock.Now()))
	defer end.Stop()
	local := int64(0)
	for n := e.share.take(); n < limit; n = e.share.take() {
		if !e.room(ctx, end, p) {
			return
		}
		turnstile.Pass() // a hundred starts at once would keep their answers waiting
		phase := e.workload.PhaseAt(clock.Now().Since(begin))
		if !p.start(start{n: n, local: local, plan: load.PlannedStart{Phase: phase}}) {
			e.run.InFlight.Release(e.model)
			return
		}
		e.counts.Add(load.Started, phase == plan.Measured, 1)
		e.tally.add(load.Started, phase == plan.Measured)
		local++
	}
}

// room waits for a free slot and for room under the caps, and takes the latter; false when the loop is over.
func (e *Executor) room(ctx context.Context, end *time.Timer, p *pool) bool {
	for {
		if e.halted(ctx) {
			return false
		}
		var again <-chan time.Time
		if p.free() {
			if e.run.InFlight.Take(e.model) {
				return true
			}
			again = time.After(capRetry)
		}
		select {
		case <-p.freed:
		case <-again:
		case <-end.C:
			return false
		case <-e.run.Halt.Done():
		case <-ctx.Done():
		}
	}
}
