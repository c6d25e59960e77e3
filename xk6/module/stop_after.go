package module

import (
	"errors"

	"weighbridge.dev/xk6/call"
	"weighbridge.dev/xk6/plan"
)

type stopAfter struct {
	MS     *float64 `js:"after_ms"`
	Events *int64   `js:"after_events"`
}

func (s *stopAfter) checked() (call.StopAfter, error) {
	if s == nil {
		return call.StopAfter{}, nil
	}
	stop := call.StopAfter{}
	if s.MS != nil {
		stop.Time = duration(*s.MS)
	}
	if s.Events != nil {
		stop.Events = int(*s.Events)
	}
	if stop.Time < 0 || stop.Events < 0 || stop == (call.StopAfter{}) {
		return call.StopAfter{}, errors.New("stop_after: expected after_ms or after_events above 0, or both")
	}
	return stop, nil
}

func stopOf(abort *plan.Abort) *stopAfter {
	if abort == nil {
		return nil
	}
	return &stopAfter{MS: abort.AfterMS, Events: abort.AfterEvents}
}
