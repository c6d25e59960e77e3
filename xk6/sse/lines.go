package sse

import "bytes"

// lineCutter cuts a chunk at LF, CR or CRLF. It remembers where the next LF and CR stand, so that a chunk of bare CR
// lines is not searched anew for an LF at every line.
type lineCutter struct {
	rest   []byte
	lf, cr int // distance from rest to the next LF or CR; 0 not known yet (stored plus one), -1 none
}

// next returns the next line without its end, and how it ended: '\n' for LF and CRLF, '\r' for a CR that may still be
// half a CRLF when the chunk ends there; 0 when the chunk ran out first.
func (c *lineCutter) next() (line []byte, end byte) {
	if c.lf == 0 {
		c.lf = find(c.rest, '\n')
	}
	if c.cr == 0 {
		c.cr = find(c.rest, '\r')
	}
	switch {
	case c.lf < 0 && c.cr < 0:
		line, c.rest = c.rest, nil
		return line, 0
	case c.cr < 0 || (c.lf > 0 && c.lf < c.cr):
		line = c.rest[: c.lf-1 : c.lf-1]
		c.drop(c.lf)
		return line, '\n'
	default:
		line = c.rest[: c.cr-1 : c.cr-1]
		if n := c.cr; n < len(c.rest) && c.rest[n] == '\n' {
			c.drop(n + 1)
			return line, '\n'
		}
		c.drop(c.cr)
		return line, '\r'
	}
}

func (c *lineCutter) drop(n int) {
	c.rest = c.rest[n:]
	c.lf, c.cr = moved(c.lf, n), moved(c.cr, n)
}

func moved(at, n int) int {
	if at < 0 {
		return -1
	}
	return max(at-n, 0)
}

func find(b []byte, c byte) int {
	if i := bytes.IndexByte(b, c); i >= 0 {
		return i + 1
	}
	return -1
}
