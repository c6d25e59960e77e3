package call

import (
	"math"
	"sort"
	"time"
)

// Buckets grow by 2^(1/16), about 4.4 %, from 0.01 ms up; gaps of exactly 0 (events of one chunk) have a bucket
// of their own. The bounds are the same in every process, so histograms add up exactly.
const (
	bucketsPerDoubling = 16
	smallestBound      = 0.01
	zeroBucket         = -1
)

type histogram struct{ counts map[int]int }

func (h *histogram) add(gap time.Duration) {
	if h.counts == nil {
		h.counts = map[int]int{}
	}
	h.counts[bucketOf(gap)]++
}

// sparse gives [upper bound in ms, count] pairs, ascending; nil for an empty histogram.
func (h *histogram) sparse() [][2]float64 {
	if len(h.counts) == 0 {
		return nil
	}
	buckets := make([]int, 0, len(h.counts))
	for bucket := range h.counts {
		buckets = append(buckets, bucket)
	}
	sort.Ints(buckets)
	pairs := make([][2]float64, len(buckets))
	for i, bucket := range buckets {
		pairs[i] = [2]float64{boundOf(bucket), float64(h.counts[bucket])}
	}
	return pairs
}

func bucketOf(gap time.Duration) int {
	ms := float64(gap) / float64(time.Millisecond)
	if ms <= 0 {
		return zeroBucket
	}
	bucket := int(math.Ceil(math.Log2(ms/smallestBound) * bucketsPerDoubling))
	return max(bucket, 0)
}

func boundOf(bucket int) float64 {
	if bucket == zeroBucket {
		return 0
	}
	bound := smallestBound * math.Exp2(float64(bucket)/bucketsPerDoubling)
	digits := math.Pow(10, 4-math.Floor(math.Log10(bound)))
	return math.Round(bound*digits) / digits
}
