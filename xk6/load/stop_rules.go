package load

import (
	"sync"
	"time"

	"weighbridge.dev/xk6/clock"
	"weighbridge.dev/xk6/halt"
	"weighbridge.dev/xk6/plan"
)

// quotaExhausted is the code of a refusal for lack of credit, with status 402 or 403 (interface §7).
const quotaExhausted = "insufficient_user_quota"

// EndedCall is what a call that was sent may stop the run by.
type EndedCall struct {
	At     clock.Moment
	Paid   bool
	Status *int    // nil without an answer
	Code   *string // of the error, nil for none
}

// CallEnded halts the run at the first answer that the credit is used up, or when the paid calls of the last while
// pass a stop rule. Each attempt counts.
func (r *Run) CallEnded(call EndedCall) {
	if call.Code != nil && *call.Code == quotaExhausted {
		r.Halt.Set(halt.QuotaExhausted)
	}
	if !call.Paid || r.stopRules == nil {
		return
	}
	status := 0
	if call.Status != nil {
		status = *call.Status
	}
	if reason, stop := r.stopRules.note(call.At, status); stop {
		r.Halt.Set(reason)
	}
}

// stopRules counts the calls that ended in the last while.
type stopRules struct {
	plan.StopRules
	over time.Duration

	mu     sync.Mutex
	ended  []ending // in the order they were noted
	counts [classes]int64
}

type ending struct {
	at    clock.Moment
	class class
}

type class uint8

const (
	other class = iota
	crowded
	failed
	classes
)

func newStopRules(rules *plan.StopRules) *stopRules {
	if rules == nil {
		return nil
	}
	return &stopRules{StopRules: *rules, over: time.Duration(rules.OverMS) * time.Millisecond}
}

// note adds a call, with status 0 where there was no answer, and tells whether a share is above its bound now.
func (s *stopRules) note(at clock.Moment, status int) (halt.Reason, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	entry := ending{at, classOf(status)}
	s.ended = append(s.ended, entry)
	s.counts[entry.class]++
	old := 0
	for at.Since(s.ended[old].at) >= s.over && old < len(s.ended)-1 {
		s.counts[s.ended[old].class]--
		old++
	}
	s.ended = s.ended[old:]
	all := int64(len(s.ended))
	switch {
	case all < s.MinCalls:
		return "", false
	case above(s.counts[crowded], all, s.Share429):
		return halt.StopRule429, true
	case above(s.counts[failed], all, s.Share5xx):
		return halt.StopRule5xx, true
	}
	return "", false
}

func classOf(status int) class {
	switch {
	case status == 429:
		return crowded
	case status >= 500 && status < 600:
		return failed
	}
	return other
}

// above divides: the quotient of two counts is the same float as the decimal share that it equals.
func above(count, all int64, share *float64) bool {
	return share != nil && float64(count)/float64(all) > *share
}
