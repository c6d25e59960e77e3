package load

import (
	"testing"

	"weighbridge.dev/xk6/clock"
	"weighbridge.dev/xk6/plan"
)

func TestAPlannedStartIsTakenOnceByItsOwnStart(t *testing.T) {
	p := NewPlannedStarts()
	p.Set(3, 70, PlannedStart{At: clock.Moment(5), Timed: true, Phase: plan.WarmUp})
	p.Set(3, 71, PlannedStart{At: clock.Moment(6), Timed: true, Phase: plan.CoolDown})
	p.Set(4, 72, PlannedStart{Phase: plan.WarmUp})
	if at, timed := p.Take(3, 71); !timed || at != 6 {
		t.Errorf("start 71: %v, %v", at, timed)
	}
	if at, timed := p.Take(3, 70); !timed || at != 5 {
		t.Errorf("start 70: %v, %v", at, timed)
	}
	if _, timed := p.Take(3, 70); timed {
		t.Error("taken twice")
	}
	if _, timed := p.Take(4, 72); timed {
		t.Error("a start of a closed loop has a planned time")
	}
	if _, timed := p.Take(4, 70); timed {
		t.Error("taken by another virtual user")
	}
	if phase := p.Phase(3, 70); phase != plan.WarmUp {
		t.Errorf("a later call of the start is %s", phase)
	}
	p.Clear(3, 70)
	if phase := p.Phase(3, 70); phase != plan.Measured {
		t.Errorf("a call without a start is %s", phase)
	}
}
