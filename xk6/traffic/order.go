package traffic

import (
	"math/bits"

	"weighbridge.dev/xk6/plan"
)

const rounds = 3

// index is seededIndex of src/workload/seeded-order.ts: what place n has in a list of so many entries, in an order of its
// own for each block. key is keyOf without its last number, the block.
func index(length, n int64, what string, seed int64, scenario string, numbers ...int64) int64 {
	if length <= 1 {
		return 0
	}
	place, block := n%length, n/length
	var own [2]int64
	r := newRandom(keyOf("order\x00"+what, seed, scenario, append(append(own[:0], numbers...), block)...))
	var factors, terms [rounds]uint32
	for i := range rounds {
		factors[i] = r.word() | 1
		terms[i] = r.word()
	}
	width := bits.Len32(uint32(length - 1))
	mask, shift := uint32(1)<<width-1, (width+1)/2
	at := uint32(place)
	for {
		for i := range rounds {
			at = (at*factors[i] + terms[i]) & mask
			at ^= at >> shift
		}
		if int64(at) < length {
			return int64(at)
		}
	}
}

// size is seededSize.
func size(table plan.SizeTable, n int64, what string, seed int64, scenario string, numbers ...int64) int64 {
	if len(table) == 0 {
		return 0
	}
	return table[index(int64(len(table)), n, what, seed, scenario, numbers...)]
}
