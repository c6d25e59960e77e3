package load

import (
	"testing"
	"time"

	"weighbridge.dev/xk6/clock"
	"weighbridge.dev/xk6/plan"
)

func TestCapsInFlight(t *testing.T) {
	all := int64(6)
	f := NewInFlight(plan.Limits{MaxInFlight: &all, MaxInFlightByModel: map[string]int64{"a": 4}})
	half := func(n int64) int64 { return n / 2 }
	f.Share(half)
	f.Share(half) // the second executor of the process changes nothing
	take := func(model string, want bool) {
		t.Helper()
		if f.Take(model) != want {
			t.Errorf("%s: want %v", model, want)
		}
	}
	take("a", true)
	take("a", true)
	take("a", false) // 2 of its own
	take("b", true)
	take("b", false) // 3 in all
	f.Release("a")
	take("b", true)
	take("a", false)
	f.Release("b")
	take("a", true)
	if open := NewInFlight(plan.Limits{}); !open.Take("a") {
		t.Error("refused without a cap")
	}
}

func TestAPauseEndsByItself(t *testing.T) {
	p, now := NewPauses(), clock.Moment(time.Hour)
	one, two := "one", "two"
	a := Limited{"a", &one}
	if p.Paused(a, now) {
		t.Error("paused from the beginning")
	}
	p.Pause(a, now.Add(2*time.Second))
	p.Pause(a, now.Add(time.Second)) // an earlier end does not shorten it
	for after, want := range map[time.Duration]bool{0: true, 1999 * time.Millisecond: true, 2 * time.Second: false} {
		if p.Paused(a, now.Add(after)) != want {
			t.Errorf("after %s: want %v", after, want)
		}
	}
	if p.Paused(Limited{"b", &one}, now) {
		t.Error("another model is paused")
	}
	if p.Paused(Limited{"a", &two}, now) {
		t.Error("another key is paused")
	}
}
