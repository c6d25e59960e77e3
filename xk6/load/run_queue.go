package load

import (
	"math"
	"runtime/metrics"
	"time"
)

// runQueue reads how long goroutines that could run waited for a processor.
type runQueue struct {
	sample []metrics.Sample
	before []uint64
}

func newRunQueue() *runQueue {
	q := &runQueue{sample: []metrics.Sample{{Name: "/sched/latencies:seconds"}}}
	q.p99()
	return q
}

// p99 of the waits since the last call, as the upper end of its bucket; nil where none is known.
func (q *runQueue) p99() *time.Duration {
	metrics.Read(q.sample)
	if q.sample[0].Value.Kind() != metrics.KindFloat64Histogram {
		return nil
	}
	histogram := q.sample[0].Value.Float64Histogram()
	if len(q.before) != len(histogram.Counts) {
		q.before = make([]uint64, len(histogram.Counts))
	}
	seconds, known := quantileSince(q.before, histogram.Counts, histogram.Buckets, 0.99)
	copy(q.before, histogram.Counts)
	if !known {
		return nil
	}
	wait := time.Duration(seconds * float64(time.Second))
	return &wait
}

// quantileSince gives the upper end of the bucket that holds the quantile of now − before. The last bucket has no end:
// its lower one stands for it.
func quantileSince(before, now []uint64, bounds []float64, quantile float64) (float64, bool) {
	var total uint64
	for i := range now {
		total += now[i] - before[i]
	}
	if total == 0 {
		return 0, false
	}
	wanted := uint64(math.Ceil(quantile * float64(total)))
	var seen uint64
	for i := range now {
		if seen += now[i] - before[i]; seen >= wanted {
			if end := bounds[i+1]; !math.IsInf(end, 1) {
				return end, true
			}
			return bounds[i], true
		}
	}
	return 0, false
}
