package module

import (
	"fmt"
	"time"

	"weighbridge.dev/xk6/call"
)

type clientOptions struct {
	Root     string       `js:"root"`
	Timeouts callTimeouts `js:"timeouts"`
}

type callTimeouts struct {
	Connect    float64 `js:"connect_ms"`
	Headers    float64 `js:"headers_ms"`
	FirstToken float64 `js:"first_token_ms"`
	Idle       float64 `js:"idle_ms"`
	Total      float64 `js:"total_ms"`
	Task       float64 `js:"task_ms"`
}

func (t callTimeouts) durations() (call.Timeouts, error) {
	for name, ms := range map[string]float64{
		"connect_ms": t.Connect, "headers_ms": t.Headers, "first_token_ms": t.FirstToken,
		"idle_ms": t.Idle, "total_ms": t.Total, "task_ms": t.Task,
	} {
		if ms <= 0 {
			return call.Timeouts{}, fmt.Errorf("timeouts.%s: expected a number above 0, found %v", name, ms)
		}
	}
	return call.Timeouts{
		Connect: duration(t.Connect), Headers: duration(t.Headers), FirstToken: duration(t.FirstToken),
		Idle: duration(t.Idle), Total: duration(t.Total), Task: duration(t.Task),
	}, nil
}

func duration(ms float64) time.Duration { return time.Duration(ms * float64(time.Millisecond)) }
