package arrivals

import (
	"fmt"

	"go.k6.io/k6/v2/lib"
)

// checkRoom refuses a scenario of which a segment has starts, and no place for any of them under a cap in flight: they
// would all be dropped. Every instance finds the same, so that none of them starts.
func checkRoom(et *lib.ExecutionTuple, slots int64, caps []int64) error {
	segments := len(et.Sequence.ExecutionSegmentSequence)
	for i := range segments {
		own := et.Sequence.GetTuple(i)
		for _, limit := range caps {
			if own.ScaleInt64(slots) > 0 && partOf(own, limit) == 0 {
				return fmt.Errorf("limits in flight: expected at least %d, a place in each execution segment, found %d: "+
					"raise the limit or run fewer segments", segments, limit)
			}
		}
	}
	return nil
}

// partOf is an execution segment's part of a cap. Where the cap has room for one in each segment, none is left with 0 and
// drops all of its starts: what such a segment gets is taken from the largest part. The parts add up to the cap.
func partOf(et *lib.ExecutionTuple, limit int64) int64 {
	segments := len(et.Sequence.ExecutionSegmentSequence)
	if segments == 1 || limit < int64(segments) {
		return et.ScaleInt64(limit)
	}
	parts := make([]int64, segments)
	for i := range parts {
		parts[i] = et.Sequence.ScaleInt64(i, limit)
	}
	for i := range parts {
		if parts[i] > 0 {
			continue
		}
		largest := 0
		for j := range parts {
			if parts[j] > parts[largest] {
				largest = j
			}
		}
		parts[largest]--
		parts[i]++
	}
	return parts[et.SegmentIndex]
}
