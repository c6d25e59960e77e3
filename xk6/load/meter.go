package load

import (
	"runtime/debug"
	"time"

	"weighbridge.dev/xk6/clock"
)

// meter turns running totals of this process into figures per interval.
type meter struct {
	opened, last clock.Moment
	cpu, gc      time.Duration
	stats        debug.GCStats
	queue        *runQueue
	timer        *timerLag
}

// usage is what this process took, and how late it was, since the reading before.
type usage struct {
	cores    float64 // processor cores in use
	gc       time.Duration
	timerLag time.Duration
	// runQueueP99 is nil where no goroutine waited, or the runtime does not tell.
	runQueueP99 *time.Duration
}

func newMeter() *meter {
	now := clock.Now()
	m := &meter{opened: now, last: now, cpu: cpuTime(), queue: newRunQueue(), timer: startTimerLag()}
	m.gc = m.gcPause()
	return m
}

// take gives the figures since the last call.
func (m *meter) take(now clock.Moment) usage {
	cpu, gc := cpuTime(), m.gcPause()
	u := usage{gc: gc - m.gc, timerLag: m.timer.take(), runQueueP99: m.queue.p99()}
	if elapsed := now.Since(m.last); elapsed > 0 {
		u.cores = float64(int64(1000*float64(cpu-m.cpu)/float64(elapsed))) / 1000
	}
	m.last, m.cpu, m.gc = now, cpu, gc
	return u
}

func (m *meter) stop() { m.timer.stop() }

// gcPause is exact, where the runtime's own metric is a histogram. It locks the heap for a moment and does not stop
// the world, as runtime.ReadMemStats would.
func (m *meter) gcPause() time.Duration {
	debug.ReadGCStats(&m.stats)
	return m.stats.PauseTotal
}
