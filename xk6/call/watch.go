package call

import (
	"context"
	"sync"
	"time"

	"weighbridge.dev/xk6/outcome"
)

// timeoutError is the cause with which a timer cancels a request, so that the outcome is exact.
type timeoutError struct{ outcome outcome.Outcome }

func (e timeoutError) Error() string { return string(e.outcome) }

type drainedError struct{}

func (drainedError) Error() string { return "drained after the terminal event" }

// watch holds the timers of one exchange.
type watch struct {
	cancel   context.CancelCauseFunc
	timeouts Timeouts

	mu      sync.Mutex
	stopped bool
	timers  map[outcome.Outcome]*time.Timer
}

func newWatch(cancel context.CancelCauseFunc, timeouts Timeouts) *watch {
	return &watch{cancel: cancel, timeouts: timeouts, timers: map[outcome.Outcome]*time.Timer{}}
}

// start cancels the request with an outcome after d, unless disarmed; 0 never.
func (w *watch) start(o outcome.Outcome, d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stopped || d <= 0 {
		return
	}
	if timer, running := w.timers[o]; running {
		timer.Reset(d)
		return
	}
	w.timers[o] = time.AfterFunc(d, func() { w.cancel(timeoutError{o}) })
}

func (w *watch) disarm(o outcome.Outcome) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if timer, running := w.timers[o]; running {
		timer.Stop()
		delete(w.timers, o)
	}
}

// drain lets a finished answer end within a short time, so that the connection can be used again.
func (w *watch) drain() {
	w.stop()
	time.AfterFunc(drainTime, func() { w.cancel(drainedError{}) })
}

func (w *watch) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stopped = true
	for o, timer := range w.timers {
		timer.Stop()
		delete(w.timers, o)
	}
}
