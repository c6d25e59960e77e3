package arrivals

import (
	"testing"

	"go.k6.io/k6/v2/lib"
)

func TestSegmentsShareTheStartsWithoutOverlap(t *testing.T) {
	sequence, err := lib.NewExecutionSegmentSequenceFromString("0,1/3,2/3,1")
	if err != nil {
		t.Fatal(err)
	}
	owner := map[int64]int{}
	for i, text := range []string{"0:1/3", "1/3:2/3", "2/3:1"} {
		segment, err := lib.NewExecutionSegmentFromString(text)
		if err != nil {
			t.Fatal(err)
		}
		tuple, err := lib.NewExecutionTuple(segment, &sequence)
		if err != nil {
			t.Fatal(err)
		}
		slots, err := stripe(tuple, 9, 100)
		if err != nil {
			t.Fatal(err)
		}
		if len(slots) < 33 || len(slots) > 34 {
			t.Errorf("segment %s has %d of 100 starts", text, len(slots))
		}
		for _, slot := range slots {
			if other, taken := owner[slot]; taken {
				t.Errorf("start %d belongs to segments %d and %d", slot, other, i)
			}
			owner[slot] = i
		}
	}
	if len(owner) != 100 {
		t.Errorf("%d of 100 starts are made", len(owner))
	}
}
