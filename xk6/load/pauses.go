package load

import (
	"sync"
	"sync/atomic"

	"weighbridge.dev/xk6/clock"
)

// Pauses holds back the starts of a model that the target asked to leave alone (Retry-After). One process uses one key,
// so that a model names the pair of both.
type Pauses struct {
	any     atomic.Bool // false while nothing was ever paused: the dispatch asks without a lock
	mu      sync.RWMutex
	byModel map[string]clock.Moment
}

// NewPauses pauses nothing.
func NewPauses() *Pauses { return &Pauses{byModel: map[string]clock.Moment{}} }

// Pause holds the model's starts until a moment; an earlier one than is known changes nothing.
func (p *Pauses) Pause(model string, until clock.Moment) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if known, paused := p.byModel[model]; !paused || until > known {
		p.byModel[model] = until
	}
	p.any.Store(true)
}

// Until is when the model's pause ends, in the past or 0 where it is not paused.
func (p *Pauses) Until(model string) clock.Moment {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.byModel[model]
}

// Paused reports whether a start of the model at a moment is held.
func (p *Pauses) Paused(model string, at clock.Moment) bool {
	if !p.any.Load() {
		return false
	}
	p.mu.RLock()
	defer p.mu.RUnlock()
	until, paused := p.byModel[model]
	return paused && at < until
}
