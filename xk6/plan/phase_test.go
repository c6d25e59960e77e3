package plan

import (
	"testing"
	"time"
)

func TestPhaseAt(t *testing.T) {
	w := &Workload{DurationMS: 10_000, WarmUpMS: 2000, CoolDownMS: 1000}
	for at, want := range map[time.Duration]string{
		0: WarmUp, 1999999 * time.Microsecond: WarmUp, 2 * time.Second: Measured, 8999 * time.Millisecond: Measured,
		9 * time.Second: CoolDown, 12 * time.Second: CoolDown,
	} {
		if phase := w.PhaseAt(at); phase != want {
			t.Errorf("%s: want %s, found %s", at, want, phase)
		}
	}
	whole := &Workload{DurationMS: 10_000}
	for _, at := range []time.Duration{0, 11 * time.Second} {
		if phase := whole.PhaseAt(at); phase != Measured {
			t.Errorf("without warm-up and cool-down, %s: %s", at, phase)
		}
	}
}
