package traffic

import (
	"strconv"
	"unicode/utf16"
)

// hash64 is hash64 of src/core/marker.ts: FNV-1a over UTF-16 units, then mix64.
func hash64(text string) uint64 {
	hash := uint64(0xcbf29ce484222325)
	for _, r := range text {
		if r < 0x10000 {
			hash = (hash ^ uint64(r)) * 0x100000001b3
			continue
		}
		high, low := utf16.EncodeRune(r)
		hash = (hash ^ uint64(high)) * 0x100000001b3
		hash = (hash ^ uint64(low)) * 0x100000001b3
	}
	return mix64(hash)
}

func mix64(value uint64) uint64 {
	value = (value ^ value>>33) * 0xff51afd7ed558ccd
	value = (value ^ value>>33) * 0xc4ceb9fe1a85ec53
	return value ^ value>>33
}

// MarkerBytes is the length of a marker.
const MarkerBytes = 18

// Marker is markerOf of src/core/marker.ts.
func Marker(nonce, callID string) string {
	const digits = "0123456789abcdef"
	marker := [MarkerBytes]byte{'w', 'b'}
	for i, hash := MarkerBytes-1, hash64(nonce+"\x00"+callID); i > 1; i, hash = i-1, hash>>4 {
		marker[i] = digits[hash&15]
	}
	return string(marker[:])
}

// random is seededRandom of src/core/seeded-random.ts.
type random struct{ state uint64 }

func newRandom(key string) *random { return &random{state: hash64(key)} }

func (r *random) next() float64 {
	r.state += 0x9e3779b97f4a7c15
	return float64(mix64(r.state)>>11) / (1 << 53)
}

// word is below(2^32).
func (r *random) word() uint32 {
	return uint32(r.next() * (1 << 32))
}

// keyOf joins a scenario's key: the name of what is drawn, the seed, the scenario, and numbers.
func keyOf(what string, seed int64, scenario string, numbers ...int64) string {
	key := make([]byte, 0, len(what)+len(scenario)+64)
	key = append(append(key, what...), 0)
	key = strconv.AppendInt(key, seed, 10)
	key = append(append(key, 0), scenario...)
	for _, n := range numbers {
		key = strconv.AppendInt(append(key, 0), n, 10)
	}
	return string(key)
}
