package call

import "slices"

// The most of a body that is kept, in bytes. A text answer may be as long as one event of a stream.
const (
	maxErrorBody = 64 << 10
	maxBody      = maxEvent
	maxImageBody = 64 << 20
)

const (
	wholePart = 64 << 10  // up to here a body grows in one piece
	largePart = 256 << 10 // beyond it, by pieces of this size
)

// bodyParts gathers a body. A long one is held in pieces, so that it is copied once and only when it has ended: growing
// in one piece would take a multiple of its size, and an endless answer would have it in vain.
type bodyParts struct {
	full [][]byte
	last []byte
	size int
}

func (b *bodyParts) add(part []byte) {
	b.size += len(part)
	if b.size <= wholePart {
		b.last = append(b.last, part...)
		return
	}
	for len(part) > 0 {
		if len(b.last) == cap(b.last) || len(b.full) == 0 {
			b.full = append(b.full, b.last)
			b.last = make([]byte, 0, largePart)
		}
		n := min(len(part), cap(b.last)-len(b.last))
		b.last = append(b.last, part[:n]...)
		part = part[n:]
	}
}

// bytes is the whole body; the parts are gone then.
func (b *bodyParts) bytes() []byte {
	if len(b.full) == 0 {
		return b.last
	}
	whole := slices.Concat(append(b.full, b.last)...)
	*b = bodyParts{last: whole, size: b.size}
	return whole
}
