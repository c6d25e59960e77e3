package plan

import "time"

// The phases of a run (Row.Phase).
const (
	WarmUp   = "warm_up"
	Measured = "measured"
	CoolDown = "cool_down"
)

// PhaseAt is the phase of a start that was planned so long after the scenario's beginning. The first warm_up_ms are
// warm-up, the last cool_down_ms of the duration and everything behind it cool-down.
func (w *Workload) PhaseAt(offset time.Duration) string {
	switch {
	case offset < time.Duration(w.WarmUpMS)*time.Millisecond:
		return WarmUp
	case w.CoolDownMS > 0 && offset >= time.Duration(w.DurationMS-w.CoolDownMS)*time.Millisecond:
		return CoolDown
	default:
		return Measured
	}
}
