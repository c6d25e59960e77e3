package load

import (
	"sync"

	"weighbridge.dev/xk6/clock"
)

// PlannedStarts carries the planned time of an iteration from the executor to the call, by VU id,
// so that no script can lose or bend it.
type PlannedStarts struct {
	mu   sync.Mutex
	byVU map[uint64]clock.Moment
}

// NewPlannedStarts is empty.
func NewPlannedStarts() *PlannedStarts { return &PlannedStarts{byVU: map[uint64]clock.Moment{}} }

// Set notes when the iteration that a VU is about to run was planned to start.
func (p *PlannedStarts) Set(vu uint64, at clock.Moment) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.byVU[vu] = at
}

// Take gives the planned time to the iteration's first paid call; later calls of the iteration had none.
func (p *PlannedStarts) Take(vu uint64) (clock.Moment, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	at, known := p.byVU[vu]
	delete(p.byVU, vu)
	return at, known
}
