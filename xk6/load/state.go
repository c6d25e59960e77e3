package load

import (
	"time"

	"weighbridge.dev/xk6/clock"
	"weighbridge.dev/xk6/halt"
	"weighbridge.dev/xk6/ledger"
	"weighbridge.dev/xk6/spend"
)

// reportState writes a state line each interval until the returned function writes the final one.
func (r *Run) reportState(writer *ledger.Writer) (stop func() error) {
	quit, done := make(chan struct{}), make(chan struct{})
	meter := newMeter()
	go func() {
		defer close(done)
		ticker := time.NewTicker(r.interval)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				if writer.State(r.state(writer, meter, false)) != nil {
					r.Halt.Set(halt.LedgerFailed)
				}
			case <-quit:
				return
			}
		}
	}()
	return func() error {
		close(quit)
		<-done
		defer meter.stop()
		return writer.State(r.state(writer, meter, true))
	}
}

func (r *Run) state(writer *ledger.Writer, m *meter, final bool) ledger.State {
	now := clock.Now()
	used := m.take(now)
	state := ledger.State{
		Schema: ledger.StateSchema, RunID: r.RunID(), Instance: r.Instance, At: now.Wall(),
		ElapsedMS: clock.Milliseconds(now.Since(m.opened)), Scenarios: r.Counts.snapshot(),
		SchedLagMS: clock.Milliseconds(r.Counts.takeLag()), CPU: used.cores, GCMS: clock.Milliseconds(used.gc),
		OpenFiles: openFiles(), OpenFilesLimit: openFilesLimit(), TimerLagMS: clock.Milliseconds(used.timerLag),
		RSSBytes: residentBytes(), RowsLost: writer.Lost(), Final: final,
	}
	if used.runQueueP99 != nil {
		wait := clock.Milliseconds(*used.runQueueP99)
		state.RunQueueP99MS = &wait
	}
	if reserved, bounded := r.Cap.Reserved(); bounded {
		text := spend.FormatUSD(reserved)
		state.ReservedUSD = &text
	}
	if began := r.began.Load(); began != nil {
		text := began.Wall()
		state.BeganAt = &text
	}
	if reason, halted := r.Halt.Reason(); halted {
		text := string(reason)
		state.Halted = &text
	}
	if at, halted := r.Halt.At(); halted && state.Halted != nil {
		text := at.Wall()
		state.HaltedAt = &text
	}
	r.latest.Store(&state)
	return state
}

// Begin tells the zero of an executor's schedule; the first one's is that of the run.
func (r *Run) Begin(at clock.Moment) { r.began.CompareAndSwap(nil, &at) }

// LatestState is the last state line that was made, not to be changed; nil before the first.
func (r *Run) LatestState() *ledger.State { return r.latest.Load() }
