package arrivals

import (
	"context"
	"time"

	"weighbridge.dev/xk6/clock"
)

// alarmGap is how far the runtime's timer stands behind the system's, so that the latter alone wakes an idle process.
const alarmGap = 150 * time.Microsecond

// alarm wakes the dispatch when a start is due. The runtime's timers are looked at whenever a goroutine gives way, but
// an idle process sleeps in whole milliseconds of them; the system's timer wakes an idle process to some 0.1 ms, but a
// busy one looks for it late. The first of both wakes.
type alarm struct {
	runtime *time.Timer
	system  *systemTimer // nil where there is none
}

func newAlarm() *alarm {
	return &alarm{runtime: time.NewTimer(time.Hour), system: newSystemTimer()}
}

// sleep returns at a moment, or before it when the run is over.
func (a *alarm) sleep(ctx context.Context, until clock.Moment, halted <-chan struct{}) {
	for {
		early := until.Since(clock.Now())
		if early <= 0 {
			return
		}
		var rung <-chan struct{}
		if a.system != nil && a.system.set(early) {
			rung = a.system.rung
			early += alarmGap
		}
		a.runtime.Reset(early)
		select {
		case <-rung: // perhaps of an earlier moment
		case <-a.runtime.C:
		case <-halted:
			return
		case <-ctx.Done():
			return
		}
	}
}

func (a *alarm) close() {
	a.runtime.Stop()
	if a.system != nil {
		a.system.close()
	}
}
