package stamp

import "bytes"

// framing follows an HTTP/1 answer from its status line to the end of a chunked body (RFC 9112, 7.1), to know how many
// bytes of the body the bytes of the connection are. It judges nothing: net/http reads the same bytes and refuses what
// is malformed. Where it finds no chunks, it is lost.
type framing struct {
	state state
	// offset is how many bytes of the body have come.
	offset uint64
	left   uint64 // of the data of the chunk at hand
	digits int    // of the size at hand
	line   int    // bytes of the head's or trailer's line at hand, without its LF
	cr     bool   // the line is a CR so far
	begin  []byte // of the line at hand in a head, as far as it tells of chunks
	known  [64]byte
	// chunked is what the head at hand says of the body.
	chunked bool
	interim
}

// interim tells a 1xx answer, behind which another head follows, by the first digit of its status.
type interim struct{ space, first, is bool }

type state uint8

const (
	inHead state = iota
	inSize
	afterSize // an extension, white space or CR, up to the LF
	inData
	afterData // CR LF
	inTrailer
	ended
	lost
)

// follow takes the next bytes of the connection.
func (f *framing) follow(b []byte) {
	for len(b) > 0 {
		switch f.state {
		case inHead, inTrailer:
			b = f.headLine(b)
		case inSize:
			b = f.size(b)
		case afterSize:
			b = f.restOfSize(b)
		case inData:
			n := min(f.left, uint64(len(b)))
			f.offset, f.left, b = f.offset+n, f.left-n, b[n:]
			if f.left == 0 {
				f.state = afterData
			}
		case afterData:
			if b[0] == '\n' {
				f.state, f.digits = inSize, 0
			}
			b = b[1:]
		case ended, lost:
			return
		}
	}
}

// headLine takes a line of a head or trailer, or what has come of it. An empty one ends it.
func (f *framing) headLine(b []byte) []byte {
	end := bytes.IndexByte(b, '\n')
	part := b
	if end >= 0 {
		part = b[:end]
	}
	if f.state == inHead {
		f.see(part)
	}
	f.cr = f.line == 0 && len(part) == 1 && part[0] == '\r' || f.cr && len(part) == 0
	f.line += len(part)
	if end < 0 {
		return nil
	}
	blank := f.line == 0 || f.line == 1 && f.cr
	if f.state == inHead {
		f.chunked = f.chunked || saysChunked(f.begin)
	}
	f.line, f.cr, f.begin = 0, false, nil
	if blank {
		f.headOver()
	}
	return b[end+1:]
}

// see takes part of a line of the head.
func (f *framing) see(part []byte) {
	if !f.first {
		f.status(part)
	}
	if f.begin == nil {
		f.begin = f.known[:0]
	}
	f.begin = append(f.begin, part[:min(len(part), len(f.known)-len(f.begin))]...)
}

// status looks for the first digit after the first spaces.
func (f *framing) status(part []byte) {
	for _, c := range part {
		switch {
		case c == ' ':
			f.space = true
		case f.space:
			f.first, f.is = true, c == '1'
			return
		}
	}
}

// saysChunked reads a line of a head.
func saysChunked(line []byte) bool {
	name, value, _ := bytes.Cut(line, []byte(":"))
	return bytes.EqualFold(name, []byte("transfer-encoding")) &&
		bytes.EqualFold(bytes.TrimSpace(value), []byte("chunked"))
}

func (f *framing) headOver() {
	switch {
	case f.state == inTrailer:
		f.state = ended
	case f.is:
		f.interim, f.chunked = interim{}, false
	case !f.chunked:
		f.state = lost
	default:
		f.state, f.digits = inSize, 0
	}
}

func (f *framing) size(b []byte) []byte {
	digit, is := hex(b[0])
	if !is {
		if f.digits == 0 {
			f.state = lost
		} else {
			f.state = afterSize
		}
		return b
	}
	if f.digits == 0 {
		f.left = 0
	}
	if f.digits++; f.digits > 16 {
		f.state = lost
		return b
	}
	f.left = f.left<<4 | digit
	return b[1:]
}

func (f *framing) restOfSize(b []byte) []byte {
	end := bytes.IndexByte(b, '\n')
	if end < 0 {
		return nil
	}
	if f.left == 0 {
		f.state = inTrailer
	} else {
		f.state = inData
	}
	return b[end+1:]
}

func hex(c byte) (uint64, bool) {
	switch {
	case '0' <= c && c <= '9':
		return uint64(c - '0'), true
	case 'a' <= c && c <= 'f':
		return uint64(c-'a') + 10, true
	case 'A' <= c && c <= 'F':
		return uint64(c-'A') + 10, true
	default:
		return 0, false
	}
}
