package load

import (
	"context"
	"slices"
	"testing"
)

type taker struct {
	got  []int64
	ends int
}

func (t *taker) next(ctx context.Context, q *StartQueue) {
	q.Next(ctx, func(s Start, more bool) {
		if more {
			t.got = append(t.got, s.N)
		} else {
			t.ends++
		}
	})
}

func TestStartsAreTakenInOrderBeforeAndAfterTheyAreGiven(t *testing.T) {
	var freed []int64
	starts := NewStarts()
	q := starts.Open(7, func(n int64) { freed = append(freed, n) })
	if of, known := starts.Of(7); !known || of != q {
		t.Error("the queue is not found")
	}
	var module taker
	module.next(t.Context(), q) // waits
	q.Give(Start{N: 4})
	q.Give(Start{N: 5})
	q.Give(Start{N: 6})
	module.next(t.Context(), q)
	q.End()
	module.next(t.Context(), q) // what was given before the end is still taken
	module.next(t.Context(), q)
	module.next(t.Context(), q)
	if !slices.Equal(module.got, []int64{4, 5, 6}) || module.ends != 2 {
		t.Errorf("got %v, %d ends", module.got, module.ends)
	}
	if q.Give(Start{N: 8}) {
		t.Error("given after the end")
	}
	q.Done(5)
	q.Done(5)
	q.Done(99)
	if untaken := q.Abandon(); len(untaken) != 0 {
		t.Errorf("untaken %v", untaken)
	}
	slices.Sort(freed)
	if !slices.Equal(freed, []int64{4, 5, 6}) {
		t.Errorf("freed %v: each place once", freed)
	}
}

func TestWhatABrokenIterationDidNotTakeIsGivenBack(t *testing.T) {
	var freed []int64
	q := NewStarts().Open(7, func(n int64) { freed = append(freed, n) })
	ctx, cancel := context.WithCancel(t.Context())
	gone := make(chan bool, 2)
	q.Next(ctx, func(_ Start, more bool) { gone <- more })
	q.Give(Start{N: 1})
	if !<-gone {
		t.Fatal("not given")
	}
	q.Next(ctx, func(_ Start, more bool) { gone <- more })
	cancel()
	if <-gone {
		t.Error("who waits is not let go")
	}
	q.Give(Start{N: 2})
	q.Next(ctx, func(_ Start, more bool) { gone <- more })
	if <-gone {
		t.Error("a start is given to an iteration that is over")
	}
	if untaken := q.Abandon(); len(untaken) != 1 || untaken[0].N != 2 || !slices.Equal(freed, []int64{1}) {
		t.Errorf("untaken %v, freed %v", untaken, freed)
	}
}

func TestTheEndReachesWhoWaits(t *testing.T) {
	starts := NewStarts()
	old := starts.Open(7, func(int64) {})
	var module taker
	module.next(t.Context(), old)
	module.next(t.Context(), old)
	old.End()
	if module.ends != 2 || len(module.got) != 0 {
		t.Errorf("%d ends, got %v", module.ends, module.got)
	}
	next := starts.Open(7, func(int64) {})
	starts.Close(7, old)
	if of, known := starts.Of(7); !known || of != next {
		t.Error("the queue of the next iteration is lost")
	}
	starts.Close(7, next)
	if _, known := starts.Of(7); known {
		t.Error("the queue stays")
	}
}
