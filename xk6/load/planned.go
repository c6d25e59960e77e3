package load

import (
	"sync"

	"weighbridge.dev/xk6/clock"
	"weighbridge.dev/xk6/plan"
)

// PlannedStart is what the executor tells the calls of a start.
type PlannedStart struct {
	// At is when the start was planned, where Timed says so: a start of a closed loop has no planned time.
	At    clock.Moment
	Timed bool
	// Phase of the start and of all its calls: warm_up, measured or cool_down.
	Phase string
}

// PlannedStarts carries the plan of a start from the executor to its calls, by VU id and number of the start, so that
// no script can lose or bend it.
type PlannedStarts struct {
	mu    sync.Mutex
	under map[startKey]plannedEntry
}

type startKey struct {
	vu uint64
	n  int64
}

type plannedEntry struct {
	start PlannedStart
	taken bool
}

// NewPlannedStarts is empty.
func NewPlannedStarts() *PlannedStarts { return &PlannedStarts{under: map[startKey]plannedEntry{}} }

// Set notes the plan of start n, which a VU is about to make.
func (p *PlannedStarts) Set(vu uint64, n int64, start PlannedStart) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.under[startKey{vu, n}] = plannedEntry{start: start}
}

// Take gives the planned time to the first paid call of a start; the later ones have none, but the same phase.
func (p *PlannedStarts) Take(vu uint64, n int64) (at clock.Moment, timed bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	key := startKey{vu, n}
	entry, known := p.under[key]
	if !known || entry.taken {
		return 0, false
	}
	entry.taken = true
	p.under[key] = entry
	return entry.start.At, entry.start.Timed
}

// Phase is that of start n while it is under way, and measured where no executor of ours made it.
func (p *PlannedStarts) Phase(vu uint64, n int64) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if entry, known := p.under[startKey{vu, n}]; known {
		return entry.start.Phase
	}
	return plan.Measured
}

// Clear forgets a start that is over.
func (p *PlannedStarts) Clear(vu uint64, n int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.under, startKey{vu, n})
}
