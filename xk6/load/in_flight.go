package load

import (
	"sync"
	"sync/atomic"

	"weighbridge.dev/xk6/plan"
)

// InFlight keeps the plan's caps on what is under way, of all scenarios together and of each model. It counts starts: a
// session is under way while it thinks.
type InFlight struct {
	shared sync.Once
	all    gauge
	models map[string]*gauge
}

// gauge counts up to its limit; a negative limit is none.
type gauge struct {
	limit int64
	whole int64 // the limit of all execution segments together
	now   atomic.Int64
}

// NewInFlight has the caps of a plan.
func NewInFlight(limits plan.Limits) *InFlight {
	f := &InFlight{all: gauge{limit: -1}, models: map[string]*gauge{}}
	if limits.MaxInFlight != nil {
		f.all.limit, f.all.whole = *limits.MaxInFlight, *limits.MaxInFlight
	}
	for model, limit := range limits.MaxInFlightByModel {
		f.models[model] = &gauge{limit: limit, whole: limit}
	}
	return f
}

// Share lowers the caps to this process's part, once, before the first start.
func (f *InFlight) Share(part func(int64) int64) {
	f.shared.Do(func() {
		if f.all.limit >= 0 {
			f.all.limit = part(f.all.limit)
		}
		for _, g := range f.models {
			g.limit = part(g.limit)
		}
	})
}

// Caps are those of the whole run that a start of a model falls under.
func (f *InFlight) Caps(model string) []int64 {
	var caps []int64
	if f.all.limit >= 0 {
		caps = append(caps, f.all.whole)
	}
	if g, capped := f.models[model]; capped {
		caps = append(caps, g.whole)
	}
	return caps
}

// Take counts a start of a model, or reports that a cap leaves no room for it.
func (f *InFlight) Take(model string) bool {
	if !f.all.take() {
		return false
	}
	if g, capped := f.models[model]; capped && !g.take() {
		f.all.now.Add(-1)
		return false
	}
	return true
}

// Release counts a start of a model as over.
func (f *InFlight) Release(model string) {
	f.all.now.Add(-1)
	if g, capped := f.models[model]; capped {
		g.now.Add(-1)
	}
}

func (g *gauge) take() bool {
	if g.now.Add(1) > g.limit && g.limit >= 0 {
		g.now.Add(-1)
		return false
	}
	return true
}
