package arrivals

import "go.k6.io/k6/v2/lib"

// share walks the numbers of an execution segment's starts, as k6's own arrival-rate executors share them out: the
// segments of a sequence have every number once.
type share struct {
	next    int64
	offsets []int64
	step    int
}

// shareOf splits by the slots, so that a segment's part of the starts is its part of what may be under way.
func shareOf(et *lib.ExecutionTuple, slots int64) (*share, error) {
	own, err := et.GetNewExecutionTupleFromValue(slots)
	if err != nil {
		return nil, err
	}
	start, offsets, _ := own.GetStripedOffsets()
	return &share{next: start, offsets: offsets}, nil
}

// take gives the next number.
func (s *share) take() int64 {
	n := s.next
	s.next += s.offsets[s.step]
	s.step = (s.step + 1) % len(s.offsets)
	return n
}
