//go:build unix

package stamp

import (
	"errors"
	"io"
	"net"
	"os"
	"syscall"
	"time"

	"weighbridge.dev/xk6/clock"
)

// held is the read at hand. All reads that one call of Read makes are made within one RawConn.Read: the poller tells of
// each arrival once, so that after a read which found less than it had room for the next one can wait for the poller
// instead of asking in vain.
type held struct {
	conn     *Conn
	receiver receiver
	raw      syscall.RawConn // nil where the connection has no descriptor
	step     func(fd uintptr) bool
	into     []byte
	n        int
	steps    int
	err      error
	broken   error        // what every further read tells
	first    clock.Moment // when the first held bytes came; 0 for none
	largest  int          // read of this call
	deadline bool         // a deadline of ours stands
	lapsed   bool         // and ended the last call
}

func (h *held) prepare(c *Conn) {
	h.conn = c
	if with, is := c.Conn.(syscall.Conn); is {
		if raw, err := with.SyscallConn(); err == nil {
			h.raw, h.step = raw, h.take
			_ = raw.Control(func(fd uintptr) { h.receiver.ask(int(fd)) })
		}
	}
}

func (h *held) read(p []byte) (int, error) {
	if h.raw == nil || len(p) == 0 {
		return h.conn.readOnce(p)
	}
	if h.broken != nil {
		return 0, h.broken
	}
	h.setDeadline()
	h.into, h.n, h.steps, h.err, h.first, h.largest = p, 0, 0, nil, 0, 0
	err := h.raw.Read(h.step)
	h.into = nil
	h.lapsed = h.n > 0 && errors.Is(err, os.ErrDeadlineExceeded)
	if h.err != nil && h.err != io.EOF {
		h.broken = h.failure() // the kernel says so once
	}
	switch {
	case h.n > 0: // what ended the read meets the next one
		return h.n, nil
	case err != nil:
		return 0, asRead(err)
	case h.err == io.EOF:
		return 0, io.EOF
	default:
		return 0, h.broken
	}
}

// setDeadline clears the deadline of what was held. Where a body waits for nothing but the end of its trailer, net/http keeps
// its last bytes until that has come: a target that never sends it must not keep them longer than any others.
func (h *held) setDeadline() {
	g := h.conn.reading.Load()
	switch {
	case g != nil && g.holding && g.framing.state == inTrailer:
		h.deadline = h.conn.Conn.SetReadDeadline(time.Now().Add(MostHeld)) == nil
	case h.deadline:
		h.deadline = false
		_ = h.conn.Conn.SetReadDeadline(time.Time{})
	}
}

// failure is an error as net.Conn would have told it.
func (h *held) failure() error {
	return &net.OpError{
		Op: "read", Net: h.conn.LocalAddr().Network(), Source: h.conn.LocalAddr(), Addr: h.conn.RemoteAddr(),
		Err: os.NewSyscallError("read", h.err),
	}
}

// asRead names the operation as net.Conn would have.
func asRead(err error) error {
	var operation *net.OpError
	if errors.As(err, &operation) {
		operation.Op = "read"
	}
	return err
}

// take reads once; false waits for the next arrival.
func (h *held) take(fd uintptr) (done bool) {
	h.steps++
	room, followed := h.into[h.n:], h.conn.reading.Load() != nil
	var n int
	var arrivedNS int64
	var err error
	if followed {
		n, arrivedNS, err = h.receiver.stamped(int(fd), room)
	} else {
		n, err = h.receiver.plain(int(fd), room)
	}
	switch {
	case err == syscall.EAGAIN:
		return false
	case err != nil:
		h.err = err
		return true
	case n == 0:
		// An end that is found without waiting, after bytes were held until the deadline, came with them: an arrival of
		// its own would have been told.
		if !h.lapsed || h.steps > 1 {
			h.conn.sawEnd(clock.Now())
		}
		h.err = io.EOF
		return true
	}
	h.n += n
	h.largest = max(h.largest, n)
	if !followed {
		return true
	}
	now := clock.Now()
	g := h.conn.took(room[:n], arrival(now, arrivedNS))
	return g == nil || !g.holding || g.opaque || n == len(room) || !h.hold(now)
}

// hold tells whether to wait for more: there must be time, and room for a read and another.
func (h *held) hold(now clock.Moment) bool {
	if len(h.into)-h.n < 2*h.largest {
		return false
	}
	if h.first != 0 {
		return now.Since(h.first) < MostHeld
	}
	h.first = now
	h.deadline = h.conn.Conn.SetReadDeadline(time.Now().Add(MostHeld)) == nil
	return h.deadline
}
