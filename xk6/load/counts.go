package load

import (
	"sync"
	"sync/atomic"
	"time"

	"weighbridge.dev/xk6/ledger"
)

// ScenarioCounts counts one scenario; every field is safe for concurrent use.
type ScenarioCounts struct {
	StartCounts
	// Measured is the part of the starts that was planned in the measured phase.
	Measured                        StartCounts
	InFlight, Finished, OK, NotSent atomic.Int64
	Aborted, Retried                atomic.Int64
	// Unmarked tells that streams ended without [DONE] and were taken for whole.
	Unmarked atomic.Bool
	// Learnt names what refusals taught of the target; nil for nothing.
	Learnt atomic.Pointer[[]string]
}

// StartCounts counts planned starts by what became of them.
type StartCounts struct {
	Planned, Started, Dropped, Held atomic.Int64
}

// What becomes of a planned start.
const (
	Started = iota
	Dropped
	Held
)

// Add counts n planned starts of one phase and what became of them.
func (c *ScenarioCounts) Add(fate int, measured bool, n int64) {
	if n == 0 {
		return
	}
	c.StartCounts.add(fate, n)
	if measured {
		c.Measured.add(fate, n)
	}
}

func (c *StartCounts) add(fate int, n int64) {
	switch fate {
	case Started:
		c.Started.Add(n)
	case Dropped:
		c.Dropped.Add(n)
	default:
		c.Held.Add(n)
	}
	c.Planned.Add(n)
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
		learnt := []string{}
		if known := n.Learnt.Load(); known != nil {
			learnt = append(learnt, *known...)
		}
		if n.Unmarked.Load() {
			learnt = append(learnt, "no_done")
		}
		states = append(states, ledger.ScenarioState{
			Scenario: name, Planned: n.Planned.Load(), Started: n.Started.Load(), Dropped: n.Dropped.Load(),
			Held: n.Held.Load(), InFlight: n.InFlight.Load(), Finished: n.Finished.Load(), OK: n.OK.Load(),
			NotSent: n.NotSent.Load(), Aborted: n.Aborted.Load(), Retried: n.Retried.Load(), Learnt: learnt,
			Measured: ledger.PhaseCounts{
				Planned: n.Measured.Planned.Load(), Started: n.Measured.Started.Load(),
				Dropped: n.Measured.Dropped.Load(), Held: n.Measured.Held.Load(),
			},
		})
	}
	return states
}
