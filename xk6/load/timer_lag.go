package load

import (
	"sync/atomic"
	"time"

	"weighbridge.dev/xk6/clock"
)

// timerPeriod is about the gap of a token stream. A process that has nothing else to do pays some 0.1 ms of CPU for each
// time it wakes, so that a shorter period would show up in the CPU that it measures.
const timerPeriod = 20 * time.Millisecond

// timerLag sleeps again and again and notes by how much it is woken too late: by so much any time stamp of this
// process may be late, whatever the target did.
type timerLag struct {
	most atomic.Int64 // ns
	quit chan struct{}
	done chan struct{}
}

func startTimerLag() *timerLag {
	t := &timerLag{quit: make(chan struct{}), done: make(chan struct{})}
	go t.run(clock.Now, time.Sleep)
	return t
}

func (t *timerLag) run(now func() clock.Moment, sleep func(time.Duration)) {
	defer close(t.done)
	for {
		select {
		case <-t.quit:
			return
		default:
		}
		before := now()
		sleep(timerPeriod)
		if late := int64(now().Since(before) - timerPeriod); late > t.most.Load() {
			t.most.Store(late)
		}
	}
}

// take gives the largest lateness since the last call.
func (t *timerLag) take() time.Duration { return time.Duration(t.most.Swap(0)) }

func (t *timerLag) stop() {
	close(t.quit)
	<-t.done
}
