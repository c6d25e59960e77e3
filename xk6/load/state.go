package load

import (
	"os"
	"runtime/debug"
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
		return writer.State(r.state(writer, meter, true))
	}
}

func (r *Run) state(writer *ledger.Writer, m *meter, final bool) ledger.State {
	now := clock.Now()
	cpu, gc := m.take(now)
	state := ledger.State{
		Schema: ledger.StateSchema, RunID: r.RunID(), Instance: r.Instance, At: now.Wall(),
		ElapsedMS: clock.Milliseconds(now.Since(m.opened)), Scenarios: r.Counts.snapshot(),
		SchedLagMS: clock.Milliseconds(r.Counts.takeLag()), CPU: cpu, GCMS: clock.Milliseconds(gc),
		OpenFiles: openFiles(), RowsLost: writer.Lost(), Final: final,
	}
	if reserved, bounded := r.Cap.Reserved(); bounded {
		text := spend.FormatUSD(reserved)
		state.ReservedUSD = &text
	}
	if reason, halted := r.Halt.Reason(); halted {
		text := string(reason)
		state.Halted = &text
	}
	return state
}

// meter turns running totals of this process into figures per interval.
type meter struct {
	opened, last clock.Moment
	cpu, gc      time.Duration
}

func newMeter() *meter {
	now := clock.Now()
	return &meter{opened: now, last: now, cpu: cpuTime(), gc: gcPause()}
}

// take gives the CPU cores in use and the collector's pause since the last call.
func (m *meter) take(now clock.Moment) (cores float64, pause time.Duration) {
	cpu, gc := cpuTime(), gcPause()
	if elapsed := now.Since(m.last); elapsed > 0 {
		cores = float64(int64(1000*float64(cpu-m.cpu)/float64(elapsed))) / 1000
	}
	pause = gc - m.gc
	m.last, m.cpu, m.gc = now, cpu, gc
	return cores, pause
}

func gcPause() time.Duration {
	var stats debug.GCStats
	debug.ReadGCStats(&stats)
	return stats.PauseTotal
}

// openFiles counts file descriptors where the system lists them, else nil.
func openFiles() *int {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return nil
	}
	count := len(entries)
	return &count
}
