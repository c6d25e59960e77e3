package call

import (
	"math"
	"testing"
	"time"
)

func TestEveryGapIsAtMostItsBoundAndWithin5Percent(t *testing.T) {
	for gap := time.Duration(10_001); gap < 200*time.Second; gap += gap/37 + 1 {
		ms := float64(gap) / float64(time.Millisecond)
		bound := boundOf(bucketOf(gap))
		if ms > bound*1.0001 || bound > ms*1.05 {
			t.Fatalf("a gap of %v ms is in the bucket up to %v ms", ms, bound)
		}
	}
}

func TestBucketsAreThoseOfTheLogarithm(t *testing.T) {
	for gap := time.Duration(1); gap < 20*time.Hour; gap += gap/97 + 1 {
		ms := float64(gap) / float64(time.Millisecond)
		want := math.Log2(ms/smallestBound) * bucketsPerDoubling
		bucket := bucketOf(gap)
		if nearest := math.Round(want); math.Abs(want-nearest) > 1e-9 {
			if limited := min(max(int(math.Ceil(want)), 0), buckets-1); bucket != limited {
				t.Fatalf("%v ms: bucket %d, by the logarithm %d", ms, bucket, limited)
			}
		}
	}
}

func TestHistogram(t *testing.T) {
	var h histogram
	if h.sparse() != nil {
		t.Error("an empty histogram is null")
	}
	for _, gap := range []time.Duration{0, 0, 20 * time.Millisecond, time.Nanosecond, 20 * time.Millisecond} {
		h.add(gap)
	}
	pairs := h.sparse()
	if len(pairs) != 3 || pairs[0] != [2]float64{0, 2} || pairs[1] != [2]float64{0.01, 1} || pairs[2][1] != 2 || math.Abs(pairs[2][0]-20) > 1 {
		t.Errorf("pairs %v", pairs)
	}
}

// However far gaps lie apart, each is counted where a histogram with room for all would have it.
func TestGapsFarFromTheFirstOneAreCounted(t *testing.T) {
	for _, first := range []time.Duration{time.Nanosecond, 20 * time.Millisecond, 11 * time.Hour} {
		var h histogram
		want := map[int]int{}
		add := func(gap time.Duration) {
			h.add(gap)
			want[bucketOf(gap)]++
		}
		for range 3 {
			add(first)
		}
		for gap := time.Microsecond; gap < 40*time.Hour; gap *= 2 {
			add(gap)
			add(first + gap/1000)
		}
		pairs := h.sparse()
		if len(pairs) != len(want) {
			t.Errorf("first %s: expected %d buckets, found %d", first, len(want), len(pairs))
		}
		for bucket, count := range want {
			found := 0.0
			for _, pair := range pairs {
				if pair[0] == bounds()[bucket] {
					found = pair[1]
				}
			}
			if found != float64(count) {
				t.Errorf("first %s: expected %d gaps up to %v ms, found %v", first, count, bounds()[bucket], found)
			}
		}
		h.free()
		if h.sparse() != nil {
			t.Error("a freed histogram is empty")
		}
		h.add(time.Millisecond)
		if pairs := h.sparse(); len(pairs) != 1 || pairs[0][1] != 1 {
			t.Errorf("what another histogram left: %v", pairs)
		}
	}
}
