package load

import (
	"sync"
	"sync/atomic"

	"weighbridge.dev/xk6/clock"
)

// Pauses holds back the starts that the target asked to put off (Retry-After).
type Pauses struct {
	any atomic.Bool // false while nothing was ever paused: the dispatch asks without a lock
	mu  sync.RWMutex
	of  map[Limited]clock.Moment
}

// Limited is what a target limits: a model, by the fingerprint of the key that asks for it. Each key has one for good.
type Limited struct {
	Model string
	KeyFP *string
}

// NewPauses pauses nothing.
func NewPauses() *Pauses { return &Pauses{of: map[Limited]clock.Moment{}} }

// Pause holds the starts until a moment; an earlier one than is known changes nothing.
func (p *Pauses) Pause(what Limited, until clock.Moment) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if known, paused := p.of[what]; !paused || until > known {
		p.of[what] = until
	}
	p.any.Store(true)
}

// Until is when the pause ends, in the past or 0 where there is none.
func (p *Pauses) Until(what Limited) clock.Moment {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.of[what]
}

// Paused reports whether a start at a moment is held.
func (p *Pauses) Paused(what Limited, at clock.Moment) bool {
	if !p.any.Load() {
		return false
	}
	p.mu.RLock()
	defer p.mu.RUnlock()
	until, paused := p.of[what]
	return paused && at < until
}
