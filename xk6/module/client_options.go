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
	ConnectMS    float64 `js:"connect_ms"`
	HeadersMS    float64 `js:"headers_ms"`
	FirstTokenMS float64 `js:"first_token_ms"`
	IdleMS       float64 `js:"idle_ms"`
	TotalMS      float64 `js:"total_ms"`
	TaskMS       float64 `js:"task_ms"`
}

func (t callTimeouts) durations() (call.Timeouts, error) {
	for name, ms := range map[string]float64{
		"connect_ms": t.ConnectMS, "headers_ms": t.HeadersMS, "first_token_ms": t.FirstTokenMS,
		"idle_ms": t.IdleMS, "total_ms": t.TotalMS, "task_ms": t.TaskMS,
	} {
		if ms <= 0 {
			return call.Timeouts{}, fmt.Errorf("timeouts.%s: expected a number above 0, found %v", name, ms)
		}
	}
	return call.Timeouts{
		Connect: duration(t.ConnectMS), Headers: duration(t.HeadersMS), FirstToken: duration(t.FirstTokenMS),
		Idle: duration(t.IdleMS), Total: duration(t.TotalMS), Task: duration(t.TaskMS),
	}, nil
}

func duration(ms float64) time.Duration { return time.Duration(ms * float64(time.Millisecond)) }
