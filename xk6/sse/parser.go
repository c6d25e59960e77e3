// Package sse reads Server-Sent Events from byte chunks (WHATWG HTML, "Server-sent events"). It knows nothing of what
// the events mean, allocates nothing per event in the common case, and gives the same events for every way of cutting
// the same bytes.
package sse

import (
	"bytes"
	"errors"
)

// DefaultMaxEventBytes is the cap on one event when none is given: large enough for an image in base64.
const DefaultMaxEventBytes = 16 << 20

// ErrOversize says that one event is larger than the cap. The parser is dead from then on.
var ErrOversize = errors.New("sse: event larger than the cap")

// Event is one dispatched event. Its slices are valid until the next Feed, or until the caller overwrites the chunk
// that was fed. Type is empty when the event had no event: line.
type Event struct {
	Type, Data []byte
}

// Parser holds what is left of an unfinished event between chunks.
type Parser struct {
	max      int
	comments int
	err      error

	// line is the unfinished last line; spare is where the next one goes, because events of the present Feed may
	// still look into line.
	line, spare []byte
	bom         int  // bytes of a byte order mark seen so far; bomDone once the start has been judged
	afterCR     bool // the last line ended with CR: an LF that follows belongs to it
	open        bool // a field line was read since the last blank line
	hasData     bool
	typ, data   value
}

const bomDone = -1

var bomBytes = [3]byte{0xEF, 0xBB, 0xBF}

// NewParser makes a parser that refuses an event of more than maxEventBytes (field names included);
// 0 means DefaultMaxEventBytes.
func NewParser(maxEventBytes int) *Parser {
	if maxEventBytes <= 0 {
		maxEventBytes = DefaultMaxEventBytes
	}
	return &Parser{max: maxEventBytes}
}

// Comments is the number of whole comment lines so far (keep-alives).
func (p *Parser) Comments() int { return p.comments }

// Pending tells whether bytes of an unfinished event are held: at the end of the input that is half an event. A comment
// without its line end does not count.
func (p *Parser) Pending() bool {
	return p.open || p.bom > 0 || (len(p.line) > 0 && p.line[0] != ':')
}

// Feed parses a chunk and calls on for each event that it completes. The only error is ErrOversize.
func (p *Parser) Feed(chunk []byte, on func(Event)) error {
	if p.err != nil {
		return p.err
	}
	p.typ.begin()
	p.data.begin()
	if p.bom != bomDone {
		if chunk = p.skipBOM(chunk); len(chunk) == 0 {
			return nil
		}
	}
	if p.afterCR && len(chunk) > 0 {
		p.afterCR = false
		if chunk[0] == '\n' {
			chunk = chunk[1:]
		}
	}

	lines := lineCutter{rest: chunk}
	for {
		part, end := lines.next()
		if end == 0 {
			return p.keep(part)
		}
		line := part
		if len(p.line) > 0 {
			p.line = append(p.line, part...)
			line = p.line
		}
		if p.tooLong(line) {
			return p.fail()
		}
		p.take(line, on)
		if len(p.line) > 0 {
			p.line, p.spare = p.spare[:0], p.line
		}
		p.afterCR = end == '\r' && len(lines.rest) == 0
	}
}

// keep stores what the chunk left unfinished.
func (p *Parser) keep(part []byte) error {
	p.typ.hold()
	p.data.hold()
	p.line = append(p.line, part...)
	if p.tooLong(p.line) {
		return p.fail()
	}
	return nil
}

// tooLong judges whole and unfinished lines alike, so that the verdict does not hang on how the bytes were cut.
func (p *Parser) tooLong(line []byte) bool {
	return len(p.typ.view)+len(p.data.view)+len(line) > p.max
}

func (p *Parser) fail() error {
	*p = Parser{err: ErrOversize, comments: p.comments, open: true, max: p.max, bom: bomDone}
	return p.err
}

func (p *Parser) take(line []byte, on func(Event)) {
	if len(line) == 0 {
		if p.hasData {
			on(Event{Type: p.typ.view, Data: p.data.view})
		}
		p.typ.reset()
		p.data.reset()
		p.hasData, p.open = false, false
		return
	}
	if line[0] == ':' {
		p.comments++
		return
	}
	p.open = true
	name, val := line, []byte(nil)
	if i := bytes.IndexByte(line, ':'); i >= 0 {
		name, val = line[:i], line[i+1:]
		if len(val) > 0 && val[0] == ' ' {
			val = val[1:]
		}
	}
	switch string(name) {
	case "data":
		if p.hasData {
			p.data.join(val)
		} else {
			p.hasData = true
			p.data.set(val)
		}
	case "event":
		p.typ.set(val)
	}
}

// skipBOM drops one byte order mark at the very start, whatever the chunks.
func (p *Parser) skipBOM(chunk []byte) []byte {
	for len(chunk) > 0 && p.bom < len(bomBytes) && chunk[0] == bomBytes[p.bom] {
		p.bom++
		chunk = chunk[1:]
	}
	switch {
	case p.bom == len(bomBytes):
		p.bom = bomDone
	case len(chunk) > 0:
		// Not a mark after all: what looked like one is the start of the first line.
		p.line = append(p.line, bomBytes[:p.bom]...)
		p.bom = bomDone
	}
	return chunk
}
