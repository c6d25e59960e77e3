package call

import (
	"math"
	"sync"
	"time"
)

// Buckets grow by 2^(1/16), about 4.4 %, from 0.01 ms up; gaps of exactly 0 (events of one chunk) have a bucket
// of their own. The bounds are the same in every process, so histograms add up exactly.
const (
	bucketsPerDoubling = 16
	smallestBound      = 0.01
	// buckets reach up to 12 hours; a longer gap, which no timeout lets happen, counts in the last one.
	buckets = 32 * bucketsPerDoubling
)

var bucketCounts = sync.Pool{New: func() any { return new([buckets]uint32) }}

// near is how many buckets a histogram has of its own: gaps from a sixteenth of the first one to sixteen times as much.
const near = 8 * bucketsPerDoubling

// histogram counts gaps near the first one itself, and takes a pooled array for those of a stream with others.
type histogram struct {
	zeros     uint32
	started   bool
	base      int // the bucket of few[0]
	low, high int // the buckets in use
	few       [near]uint32
	all       *[buckets]uint32 // nil while few does
}

func (h *histogram) add(gap time.Duration) {
	if gap <= 0 {
		h.zeros++
		return
	}
	bucket := bucketOf(gap)
	if !h.started {
		h.started, h.base = true, max(bucket-near/2, 0)
		h.low, h.high = bucket, bucket
	}
	h.low, h.high = min(h.low, bucket), max(h.high, bucket)
	if at := bucket - h.base; h.all == nil && at >= 0 && at < near {
		h.few[at]++
		return
	}
	h.spread()
	h.all[bucket]++
}

// spread moves the counts to where all buckets have room.
func (h *histogram) spread() {
	if h.all == nil {
		h.all = bucketCounts.Get().(*[buckets]uint32)
		copy(h.all[h.base:], h.few[:])
	}
}

func (h *histogram) count(bucket int) uint32 {
	if h.all != nil {
		return h.all[bucket]
	}
	return h.few[bucket-h.base]
}

// sparse gives [upper bound in ms, count] pairs, ascending; nil for an empty histogram.
func (h *histogram) sparse() [][2]float64 {
	var pairs [][2]float64
	if h.zeros > 0 {
		pairs = append(pairs, [2]float64{0, float64(h.zeros)})
	}
	if h.started {
		for bucket := h.low; bucket <= h.high; bucket++ {
			if count := h.count(bucket); count > 0 {
				pairs = append(pairs, [2]float64{bounds()[bucket], float64(count)})
			}
		}
	}
	return pairs
}

// free gives the array back; the histogram is empty from then on.
func (h *histogram) free() {
	if h.all != nil {
		clear(h.all[:])
		bucketCounts.Put(h.all)
	}
	*h = histogram{}
}

// bucketOf is ⌈16 · log2(gap / 0.01 ms)⌉, at least 0: the exponent as the number has it, and the step in its doubling.
func bucketOf(gap time.Duration) int {
	const mantissaBits, bias = 52, 1023
	ratio := float64(gap) / (smallestBound * float64(time.Millisecond))
	if ratio <= 1 {
		return 0
	}
	bits := math.Float64bits(ratio)
	mantissa := math.Float64frombits(bits&(1<<mantissaBits-1) | bias<<mantissaBits)
	step := 0
	for width := bucketsPerDoubling / 2; width > 0; width /= 2 {
		if mantissa > steps[step+width-1] {
			step += width
		}
	}
	if mantissa > steps[step] {
		step++
	}
	return min((int(bits>>mantissaBits)-bias)*bucketsPerDoubling+step, buckets-1)
}

// steps are the bounds of the buckets of one doubling, from 1 to just under 2.
var steps = func() (table [bucketsPerDoubling]float64) {
	for i := range table {
		table[i] = math.Exp2(float64(i) / bucketsPerDoubling)
	}
	return table
}()

var bounds = sync.OnceValue(func() *[buckets]float64 {
	table := new([buckets]float64)
	for bucket := range table {
		table[bucket] = boundOf(bucket)
	}
	return table
})

func boundOf(bucket int) float64 {
	bound := smallestBound * math.Exp2(float64(bucket)/bucketsPerDoubling)
	digits := math.Pow(10, 4-math.Floor(math.Log10(bound)))
	return math.Round(bound*digits) / digits
}
