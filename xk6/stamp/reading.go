// Package stamp tells when each byte of a streamed answer came. It stamps the bytes at the connection, below everything
// that passes them on, and may keep them there for a while: who reads a body in larger parts still learns when each
// part of them came, and pays for the way up once for many events.
package stamp

import (
	"sync/atomic"

	"weighbridge.dev/xk6/clock"
)

// Reading is what a connection knows of the body of one answer. The zero value is ready for Conn.Follow. One goroutine
// at a time uses it, but for Heard.
type Reading struct {
	framing framing
	opaque  bool // nothing but Heard is known
	holding bool
	since   clock.Moment // when the request was about to be written
	heard   atomic.Int64 // clock.Moment
	head    clock.Moment // when the last byte of the head came; 0 until then, or where that is not known
	marks   []mark
	taken   int      // marks that Next has used up
	given   uint64   // bytes of the body that Next has told of
	few     [16]mark // as many as come in MostHeld at 50 events per second, and some
}

// mark says when the bytes of the body up to an offset had come.
type mark struct {
	offset uint64
	at     clock.Moment
}

// Known tells whether the body is one of chunks as far as it has come, so that its bytes have stamps.
func (g *Reading) Known() bool { return !g.opaque && g.framing.state > inHead }

// Hold lets the connection keep bytes that have come until more have, for at most MostHeld.
func (g *Reading) Hold(on bool) { g.holding = on }

// Heard is when bytes of the connection came last, be they kept or passed on; 0 for never. Safe for any goroutine.
func (g *Reading) Heard() clock.Moment { return clock.Moment(g.heard.Load()) }

// Head is when the answer's head had come, once it was read; 0 where it came before it was followed.
func (g *Reading) Head() clock.Moment {
	if g.head != 0 {
		return g.head
	}
	return g.Heard()
}

// Waiting is how many bytes of the body have come that Next has not told of.
func (g *Reading) Waiting() int { return int(g.framing.offset - g.given) }

// Next tells when the next bytes of the body came, and how many of n came then; at least one. Where the stamps do not
// reach that far, the last one stands for all.
func (g *Reading) Next(n int) (count int, at clock.Moment) {
	for g.taken < len(g.marks) {
		next := g.marks[g.taken]
		if next.offset > g.given {
			count = int(min(next.offset-g.given, uint64(n)))
			if g.given += uint64(count); g.given == next.offset {
				g.taken++
			}
			return count, next.at
		}
		g.taken++
	}
	g.given += uint64(n)
	return n, g.Heard()
}

// took stamps bytes of the connection.
func (g *Reading) took(b []byte, now clock.Moment) {
	// Two clocks were compared: what came later is never earlier, and no answer comes before its request.
	now = max(now, g.Heard(), g.since)
	g.heard.Store(int64(now))
	if g.opaque {
		return
	}
	before := g.framing.offset
	g.framing.follow(b)
	g.opaque = g.framing.state == lost
	if g.head == 0 && g.framing.state != inHead {
		g.head = now
	}
	if g.framing.offset == before {
		return
	}
	switch {
	case g.marks == nil:
		g.marks = g.few[:0]
	case g.taken == len(g.marks):
		g.marks, g.taken = g.marks[:0], 0
	}
	g.marks = append(g.marks, mark{g.framing.offset, now})
}
