package load

import (
	"context"
	"sync"
)

// Start is one start handed to a virtual user that holds several at once.
type Start struct {
	// N is the number of the start in its scenario, over all execution segments: it names the planned call.
	N        int64
	Scenario string
}

// Starts hands starts from the executor to the module, by VU id: in pool mode (callsPerVU above 1) a virtual user runs
// one long iteration, which takes its starts one by one.
type Starts struct {
	mu   sync.Mutex
	byVU map[uint64]*StartQueue
}

// NewStarts is empty.
func NewStarts() *Starts { return &Starts{byVU: map[uint64]*StartQueue{}} }

// Open makes the queue of a virtual user for one iteration, in place of the one of its iteration before. freed is told
// of each start that is done, once, from any goroutine; it must not block.
func (s *Starts) Open(vu uint64, freed func(n int64)) *StartQueue {
	q := &StartQueue{freed: freed, taken: map[int64]struct{}{}}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.byVU[vu] = q
	return q
}

// Of gives the queue of the iteration that a virtual user runs, or false where it runs none in pool mode.
func (s *Starts) Of(vu uint64) (*StartQueue, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	q, known := s.byVU[vu]
	return q, known
}

// Close forgets the queue of a virtual user, unless it has opened another one since.
func (s *Starts) Close(vu uint64, q *StartQueue) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.byVU[vu] == q {
		delete(s.byVU, vu)
	}
}

// StartQueue is what one iteration of a virtual user takes its starts from. The executor calls Give, End and Abandon, the
// module Next and Done; all are safe from any goroutine.
type StartQueue struct {
	freed func(n int64)

	mu      sync.Mutex
	ready   []Start
	waiting []func(Start, bool)
	taken   map[int64]struct{} // and not done
	bound   bool
	cut     bool // the iteration is over, whether its script knows or not
	ended   bool
}

// Next calls deliver exactly once: with the next start and true as soon as there is one, or with false after the last
// and when the iteration is over, which ctx, the virtual user's context, says. It may do so before it returns, or later
// from another goroutine: deliver must not block, as the callback of RegisterCallback does not.
func (q *StartQueue) Next(ctx context.Context, deliver func(start Start, more bool)) {
	q.mu.Lock()
	if !q.bound {
		// A script's error ends the iteration's context; k6 then waits for all callbacks, and so for this one.
		q.bound = true
		context.AfterFunc(ctx, q.leave)
	}
	if q.cut || q.ended && len(q.ready) == 0 {
		q.mu.Unlock()
		deliver(Start{}, false)
		return
	}
	if len(q.ready) == 0 {
		q.waiting = append(q.waiting, deliver)
		q.mu.Unlock()
		return
	}
	start := q.ready[0]
	q.ready = q.ready[1:]
	q.taken[start.N] = struct{}{}
	q.mu.Unlock()
	deliver(start, true)
}

// Done says that all of a start is over, so that its place is free for another; a second time it does nothing.
func (q *StartQueue) Done(n int64) {
	q.mu.Lock()
	_, known := q.taken[n]
	delete(q.taken, n)
	q.mu.Unlock()
	if known {
		q.freed(n)
	}
}

// Give hands a start over; false after the end.
func (q *StartQueue) Give(start Start) bool {
	q.mu.Lock()
	if q.ended {
		q.mu.Unlock()
		return false
	}
	if len(q.waiting) == 0 {
		q.ready = append(q.ready, start)
		q.mu.Unlock()
		return true
	}
	deliver := q.waiting[0]
	q.waiting = q.waiting[1:]
	q.taken[start.N] = struct{}{}
	q.mu.Unlock()
	deliver(start, true)
	return true
}

// Pending reports whether a start was given and not taken.
func (q *StartQueue) Pending() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.ready) > 0
}

// End says that no start follows: what was given is still taken, then Next delivers false.
func (q *StartQueue) End() {
	q.mu.Lock()
	q.ended = true
	q.dismiss()
}

// leave lets nothing be taken any more.
func (q *StartQueue) leave() {
	q.mu.Lock()
	q.cut = true
	q.dismiss()
}

// dismiss is called with the lock, which it gives back.
func (q *StartQueue) dismiss() {
	waiting := q.waiting
	q.waiting = nil
	q.mu.Unlock()
	for _, deliver := range waiting {
		deliver(Start{}, false)
	}
}

// Abandon ends the queue of an iteration that is over: the starts that it took count as done, those that it did not
// take are given back.
func (q *StartQueue) Abandon() (untaken []Start) {
	q.leave()
	q.mu.Lock()
	q.ended = true
	untaken, q.ready = q.ready, nil
	left := make([]int64, 0, len(q.taken))
	for n := range q.taken {
		left = append(left, n)
	}
	clear(q.taken)
	q.mu.Unlock()
	for _, n := range left {
		q.freed(n)
	}
	return untaken
}
