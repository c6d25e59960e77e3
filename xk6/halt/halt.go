// Package halt decides, once per process, that no further paid call is started.
package halt

import (
	"sync"

	"weighbridge.dev/xk6/clock"
)

// Reason says why no further call is started.
type Reason string

// The closed list of reasons (HALT_REASONS of src/contracts/ledger-lines.ts).
const (
	SpendCap        Reason = "spend_cap"
	ReserveExceeded Reason = "reserve_exceeded" // a call cost more than its worst case
	CreditKept      Reason = "credit_kept"
	QuotaExhausted  Reason = "quota_exhausted"
	StopRule429     Reason = "stop_rule_429"
	StopRule5xx     Reason = "stop_rule_5xx"
	ScriptAborted   Reason = "script_aborted"
	Interrupted     Reason = "interrupted"
	LedgerFailed    Reason = "ledger_failed"
)

// Parse gives the reason of a name.
func Parse(name string) (Reason, bool) {
	switch reason := Reason(name); reason {
	case SpendCap, ReserveExceeded, CreditKept, QuotaExhausted, StopRule429, StopRule5xx, ScriptAborted, Interrupted,
		LedgerFailed:
		return reason, true
	}
	return "", false
}

// Halt is set at most once; the first reason wins.
type Halt struct {
	once   sync.Once
	done   chan struct{}
	reason Reason
	at     clock.Moment
}

// New is a halt that is not set.
func New() *Halt { return &Halt{done: make(chan struct{})} }

// Set halts the process with a reason; later reasons change nothing.
func (h *Halt) Set(reason Reason) {
	h.once.Do(func() {
		h.reason, h.at = reason, clock.Now()
		close(h.done)
	})
}

// Done is closed when the process is halted.
func (h *Halt) Done() <-chan struct{} { return h.done }

// Reason is the first reason, or false while nothing is halted.
func (h *Halt) Reason() (Reason, bool) {
	select {
	case <-h.done:
		return h.reason, true
	default:
		return "", false
	}
}

// At is the moment of the first reason, or false while nothing is halted.
func (h *Halt) At() (clock.Moment, bool) {
	select {
	case <-h.done:
		return h.at, true
	default:
		return 0, false
	}
}
