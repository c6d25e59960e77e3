package call

import (
	"context"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"weighbridge.dev/xk6/clock"
	"weighbridge.dev/xk6/outcome"
	"weighbridge.dev/xk6/stamp"
)

// cutError is the cause with which a request of ours is cancelled, so that its outcome is exact.
type cutError struct{ outcome outcome.Outcome }

func (e cutError) Error() string { return string(e.outcome) }

type drainedError struct{}

func (drainedError) Error() string { return "drained after the terminal event" }

// alarm is one of the deadlines of an exchange.
type alarm int

const (
	alarmConnect alarm = iota
	alarmHeaders
	alarmFirstToken
	alarmIdle
	alarmTotal
	alarmStop // the deliberate abort
	alarmDrained
	alarms
)

// causes are errors made once: an alarm that rings allocates nothing.
var causes = [alarms]error{
	alarmConnect:    cutError{outcome.TimeoutConnect},
	alarmHeaders:    cutError{outcome.TimeoutHeaders},
	alarmFirstToken: cutError{outcome.TimeoutFirstToken},
	alarmIdle:       cutError{outcome.TimeoutIdle},
	alarmTotal:      cutError{outcome.TimeoutTotal},
	alarmStop:       cutError{outcome.Aborted},
	alarmDrained:    drainedError{},
}

// watch holds the deadlines of one exchange behind one timer. Moving a deadline is a store: the timer is set anew only
// when a deadline is earlier than its next ring, and a ring that finds nothing due sets it for the next deadline.
type watch struct {
	cancel    context.CancelCauseFunc
	deadlines [alarms]atomic.Int64 // clock.Moment; 0 for none
	rings     atomic.Int64         // clock.Moment of the next ring; never for none

	// heard tells of bytes that wait at the connection: no silence is as long as they are news. Nil for none.
	heard atomic.Pointer[stamp.Reading]
	idle  time.Duration

	mu      sync.Mutex
	timer   *time.Timer
	stopped bool
}

const never = math.MaxInt64

func newWatch(cancel context.CancelCauseFunc) *watch {
	w := &watch{cancel: cancel}
	w.rings.Store(never)
	return w
}

// start rings an alarm at now + d, unless disarmed; a d of 0 leaves it as it is.
func (w *watch) start(a alarm, now clock.Moment, d time.Duration) {
	if d <= 0 {
		return
	}
	deadline := int64(now.Add(d))
	w.deadlines[a].Store(deadline)
	if deadline < w.rings.Load() {
		w.mu.Lock()
		w.set(deadline)
		w.mu.Unlock()
	}
}

func (w *watch) disarm(a alarm) { w.deadlines[a].Store(0) }

// set lets the timer ring no later than at the deadline; the lock is held.
func (w *watch) set(deadline int64) {
	if w.stopped || deadline >= w.rings.Load() {
		return
	}
	w.rings.Store(deadline)
	wait := clock.Moment(deadline).Since(clock.Now())
	if w.timer == nil {
		w.timer = time.AfterFunc(wait, w.ring)
	} else {
		w.timer.Reset(wait)
	}
}

// listen lets bytes put the idle alarm off that have come and are not passed on yet.
func (w *watch) listen(to *stamp.Reading, idle time.Duration) {
	w.idle = idle
	w.heard.Store(to)
}

// putOff moves an idle alarm that is due where bytes came since it was set.
func (w *watch) putOff(due int64) bool {
	heard := w.heard.Load()
	if heard == nil {
		return false
	}
	later := int64(heard.Heard().Add(w.idle))
	if later <= due {
		return false
	}
	w.deadlines[alarmIdle].CompareAndSwap(due, later) // else it was moved or disarmed meanwhile
	return true
}

// ring cancels the request with the earliest deadline that is due, or sets the timer for the next one.
func (w *watch) ring() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stopped {
		return
	}
	// Before the deadlines are read: whoever stores one after this sees it, and comes for the lock.
	w.rings.Store(never)
	for {
		first, earliest := w.earliest()
		switch {
		case first == alarms:
		case earliest > int64(clock.Now()):
			w.set(earliest)
		case first == alarmIdle && w.putOff(earliest):
			continue
		default:
			w.stopped = true
			w.cancel(causes[first])
		}
		return
	}
}

// earliest is the alarm that rings next, and when; alarms for none.
func (w *watch) earliest() (first alarm, earliest int64) {
	first, earliest = alarms, never
	for a := range alarms {
		if deadline := w.deadlines[a].Load(); deadline != 0 && deadline < earliest {
			first, earliest = a, deadline
		}
	}
	return first, earliest
}

// drain lets a finished answer end within a short time, so that the connection can be used again.
func (w *watch) drain(now clock.Moment) {
	for a := range alarms {
		w.disarm(a)
	}
	w.start(alarmDrained, now, drainTime)
}

func (w *watch) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stopped = true
	if w.timer != nil {
		w.timer.Stop()
	}
}
