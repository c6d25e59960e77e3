package load

import (
	"sync"
	"sync/atomic"
	"time"

	"weighbridge.dev/xk6/ledger"
)

// ScenarioCounts counts one scenario; every field is safe for concurrent use.
type ScenarioCounts struct {
	Planned, Started, Dropped, Held, InFlight, Finished, OK atomic.Int64
}

// Counts holds the counts of all scenarios in the order they were first seen.
type Counts struct {
	mu     sync.Mutex
	names  []string
	byName map[string]*ScenarioCounts

	lag atomic.Int64 // largest lateness since the last state line, ns
}

// NewCounts is empty.
func NewCounts() *Counts { return &Counts{byName: map[string]*ScenarioCounts{}} }

// Of gives the counts of a scenario.
func (c *Counts) Of(name string) *ScenarioCounts {
	c.mu.Lock()
	defer c.mu.Unlock()
	counts, known := c.byName[name]
	if !known {
		counts = &ScenarioCounts{}
		c.byName[name] = counts
		c.names = append(c.names, name)
	}
	return counts
}

// Late notes the lateness of a scheduled start.
func (c *Counts) Late(lag time.Duration) {
	for {
		seen := c.lag.Load()
		if int64(lag) <= seen || c.lag.CompareAndSwap(seen, int64(lag)) {
			return
		}
	}
}

func (c *Counts) takeLag() time.Duration { return time.Duration(c.lag.Swap(0)) }

func (c *Counts) snapshot() []ledger.ScenarioState {
	c.mu.Lock()
	defer c.mu.Unlock()
	states := make([]ledger.ScenarioState, 0, len(c.names))
	for _, name := range c.names {
		n := c.byName[name]
		states = append(states, ledger.ScenarioState{
			Scenario: name, Planned: n.Planned.Load(), Started: n.Started.Load(), Dropped: n.Dropped.Load(),
			Held: n.Held.Load(), InFlight: n.InFlight.Load(), Finished: n.Finished.Load(), OK: n.OK.Load(),
		})
	}
	return states
}
