package stamp

import (
	"io"
	"net"
	"sync/atomic"
	"time"

	"weighbridge.dev/xk6/clock"
)

// MostHeld is how long bytes are kept before they are passed on, at most.
const MostHeld = 250 * time.Millisecond

// Conn is a connection that stamps what is read from it. Reads are one at a time, as net/http does them.
type Conn struct {
	net.Conn
	counts  Counts
	reading atomic.Pointer[Reading]
	held
}

// Counts are the host's, of bytes; nil for none. They are added to atomically.
type Counts struct{ Read, Written *int64 }

// Wrap makes a connection stamp its bytes.
func Wrap(conn net.Conn, counts Counts) *Conn {
	c := &Conn{Conn: conn, counts: counts}
	c.held.prepare(c)
	return c
}

// Follow stamps the answer to the request that is written next.
func (c *Conn) Follow(g *Reading) {
	g.since = clock.Now()
	c.reading.Store(g)
}

// FollowSealed stamps an answer whose bytes cannot be told from others here, as under TLS: nothing but Heard is known.
func (c *Conn) FollowSealed(g *Reading) {
	g.opaque = true
	c.Follow(g)
}

// Read reads what there is; while the answer that is followed is held, until enough has come or too much time has gone.
func (c *Conn) Read(p []byte) (int, error) {
	n, err := c.read(p)
	if n > 0 && c.counts.Read != nil {
		atomic.AddInt64(c.counts.Read, int64(n))
	}
	return n, err
}

// Write writes to the connection.
func (c *Conn) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	if n > 0 && c.counts.Written != nil {
		atomic.AddInt64(c.counts.Written, int64(n))
	}
	return n, err
}

// readOnce is how a connection is read that cannot hold.
func (c *Conn) readOnce(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if n > 0 {
		c.took(p[:n], clock.Now())
	} else if err == io.EOF {
		c.sawEnd(clock.Now())
	}
	return n, err
}

// took stamps bytes for the answer that is followed, which is nil where there is none any more.
func (c *Conn) took(b []byte, now clock.Moment) *Reading {
	g := c.reading.Load()
	if g == nil {
		return nil
	}
	g.took(b, now)
	if g.framing.state == ended { // from here on the connection may be another request's
		c.reading.CompareAndSwap(g, nil)
		return nil
	}
	return g
}

func (c *Conn) sawEnd(now clock.Moment) {
	if g := c.reading.Load(); g != nil {
		g.heard.Store(int64(now))
	}
}
