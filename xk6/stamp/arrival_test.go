package stamp

import (
	"testing"
	"time"

	"weighbridge.dev/xk6/clock"
)

func TestAStepOfTheWallClockMovesNoStamp(t *testing.T) {
	for _, step := range []time.Duration{-time.Hour, time.Hour, time.Second} {
		wall := time.Now()
		arrived := clock.Of(wall)
		ahead.Add(int64(step)) // as if the clocks had been compared before the step
		now := clock.Now()
		if at := arrival(now, wall.UnixNano()); at.Since(arrived).Abs() > time.Millisecond || at > now {
			t.Errorf("after a step of %s: %s from the arrival", step, at.Since(arrived))
		}
	}
}

func TestAStampThatCannotBeIsNone(t *testing.T) {
	now := clock.Now()
	for name, wall := range map[string]int64{
		"none":       0,
		"to come":    time.Now().Add(time.Minute).UnixNano(),
		"a day ago":  time.Now().Add(-24 * time.Hour).UnixNano(),
		"a negative": -1,
	} {
		if at := arrival(now, wall); at != now {
			t.Errorf("%s: expected the moment of the read, found %s before it", name, now.Since(at))
		}
	}
}
