package call

import "sync"

// A stream holds its buffer for all its life, and its reads return an event or two: a small buffer does, and a large
// one is taken only once a read filled the small one.
const (
	smallBuffer = 4 << 10
	largeBuffer = 32 << 10
)

var (
	smallBuffers = sync.Pool{New: func() any { return new([smallBuffer]byte) }}
	largeBuffers = sync.Pool{New: func() any { return new([largeBuffer]byte) }}
)

// readBuffer is what a body is read into; the zero value is ready. What was read is gone at the next bytes.
type readBuffer struct {
	small *[smallBuffer]byte
	large *[largeBuffer]byte
	full  bool
}

// bytes is the room for the next read.
func (b *readBuffer) bytes() []byte {
	switch {
	case b.large != nil:
		return b.large[:]
	case b.full:
		smallBuffers.Put(b.small)
		b.small, b.large = nil, largeBuffers.Get().(*[largeBuffer]byte)
		return b.large[:]
	case b.small == nil:
		b.small = smallBuffers.Get().(*[smallBuffer]byte)
	}
	return b.small[:]
}

// took tells how much a read returned.
func (b *readBuffer) took(n int) { b.full = n == smallBuffer && b.large == nil }

func (b *readBuffer) free() {
	if b.small != nil {
		smallBuffers.Put(b.small)
	}
	if b.large != nil {
		largeBuffers.Put(b.large)
	}
	*b = readBuffer{}
}
