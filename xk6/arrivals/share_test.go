package arrivals

import (
	"fmt"
	"strings"
	"testing"

	"go.k6.io/k6/v2/lib"
)

// segmentsOf are the tuples of n instances of equal size.
func segmentsOf(t *testing.T, n int) []*lib.ExecutionTuple {
	t.Helper()
	bounds := make([]string, n+1)
	for i := range bounds {
		bounds[i] = fmt.Sprintf("%d/%d", i, n)
	}
	bounds[0], bounds[n] = "0", "1"
	sequence, err := lib.NewExecutionSegmentSequenceFromString(strings.Join(bounds, ","))
	if err != nil {
		t.Fatal(err)
	}
	tuples := make([]*lib.ExecutionTuple, n)
	for i := range tuples {
		segment, err := lib.NewExecutionSegmentFromString(bounds[i] + ":" + bounds[i+1])
		if err != nil {
			t.Fatal(err)
		}
		if tuples[i], err = lib.NewExecutionTuple(segment, &sequence); err != nil {
			t.Fatal(err)
		}
	}
	return tuples
}

func TestTheSegmentsHaveEachStartOnceAtItsTime(t *testing.T) {
	schedule := scheduleOf(t, -1, Stage{10_000, 0, 20_000})
	sources := map[string]func() times{
		"even": func() times { return schedule },
		"poisson": func() times {
			return newRandomTimes(schedule, newGaps(1, 7, "chat"), newGaps(1, 7, "chat"))
		},
		"gamma": func() times {
			return newRandomTimes(schedule, newGaps(0.3, 7, "chat"), newGaps(0.3, 7, "chat"))
		},
	}
	for name, source := range sources {
		whole := all(source())
		for _, instances := range []int{1, 2, 3, 5} {
			for _, slots := range []int64{1, 3, 7, 11, 30} {
				owner := map[int64]int{}
				var sum int64
				for i, tuple := range segmentsOf(t, instances) {
					own := tuple.ScaleInt64(slots)
					if sum += own; own == 0 {
						continue // as HasWork says
					}
					numbers, err := shareOf(tuple, slots)
					if err != nil {
						t.Fatal(err)
					}
					at := source()
					for n := numbers.take(); n < at.Count(); n = numbers.take() {
						if other, taken := owner[n]; taken {
							t.Fatalf("%s, %d instances, %d slots: start %d belongs to %d and %d", name, instances, slots, n, other, i)
						}
						owner[n] = i
						if found := at.At(n); found != whole[n] {
							t.Fatalf("%s, %d instances: start %d is at %s, alone at %s", name, instances, n, found, whole[n])
						}
					}
				}
				if len(owner) != len(whole) || sum != slots {
					t.Errorf("%s, %d instances, %d slots: %d of %d starts, %d slots", name, instances, slots, len(owner), len(whole), sum)
				}
			}
		}
	}
}
