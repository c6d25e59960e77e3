package wire

// scan walks one JSON text in place, without allocating. It accepts exactly what encoding/json accepts; a syntax error
// sets bad, and every loop ends. Callers keep what they found apart until done says that the whole text was valid, so
// that a cut event never counts in part.
type scan struct {
	b     []byte
	i     int
	bad   bool
	comma bool // a value was read: the next member needs a comma before it
	depth int
	name  []byte // of the member that key moved to
}

// maxDepth is encoding/json's own limit.
const maxDepth = 10000

func (s *scan) fail() { s.bad, s.i = true, len(s.b) }

func (s *scan) ws() {
	if s.i < len(s.b) && s.b[s.i] <= ' ' {
		s.blanks()
	}
}

func (s *scan) blanks() {
	for s.i < len(s.b) {
		switch s.b[s.i] {
		case ' ', '\t', '\n', '\r':
			s.i++
		default:
			return
		}
	}
}

// peek is the first byte of the next value; 0 at the end.
func (s *scan) peek() byte {
	s.ws()
	if s.i < len(s.b) {
		return s.b[s.i]
	}
	return 0
}

// done tells that exactly one valid value was read.
func (s *scan) done() bool {
	s.ws()
	return !s.bad && s.i == len(s.b)
}

// object enters an object. Any other value is read past and gives false.
func (s *scan) object() bool { return s.enter('{') }

// array enters an array. Any other value is read past and gives false.
func (s *scan) array() bool { return s.enter('[') }

func (s *scan) enter(open byte) bool {
	if s.peek() != open {
		s.skip()
		return false
	}
	if s.depth++; s.depth > maxDepth {
		s.fail()
		return false
	}
	s.i++
	s.comma = false
	return true
}

// more moves to the next member of the container that closes with end; false at its end.
func (s *scan) more(end byte) bool {
	c := s.peek()
	if s.bad {
		return false
	}
	if c == end {
		s.i++
		s.depth--
		s.comma = true
		return false
	}
	if s.comma {
		if c != ',' {
			s.fail()
			return false
		}
		s.i++
	}
	return true
}

// elem moves to the next element of an array.
func (s *scan) elem() bool { return s.more(']') }

// key moves to the next member of an object and leaves its name in s.name.
func (s *scan) key() bool {
	if !s.more('}') {
		return false
	}
	if s.peek() != '"' {
		s.fail()
		return false
	}
	t := s.stringToken()
	if s.name = t.raw; t.escaped {
		s.name = t.appendTo(nil)
	}
	if s.peek() != ':' {
		s.fail()
		return false
	}
	s.i++
	return !s.bad
}

// str reads a string; any other value is read past and gives a token that is not ok.
func (s *scan) str() token {
	if s.peek() != '"' {
		s.skip()
		return token{}
	}
	return s.stringToken()
}

// raw reads any value and returns its text; nil for null.
func (s *scan) raw() []byte {
	s.ws()
	from := s.i
	if s.skip(); s.bad || s.b[from] == 'n' {
		return nil
	}
	return s.b[from:s.i:s.i]
}

// integer reads a number that is whole and no larger than 2^53-1, the integers that every JSON reader agrees on; any
// other value is read past and gives false.
func (s *scan) integer() (int64, bool) {
	raw := s.raw()
	if s.bad || len(raw) == 0 {
		return 0, false
	}
	return parseInteger(raw)
}

func (s *scan) skip() {
	switch c := s.peek(); {
	case s.bad:
	case c == '"':
		s.stringToken()
	case c == '{':
		if s.object() {
			for s.key() {
				s.skip()
			}
		}
	case c == '[':
		if s.array() {
			for s.elem() {
				s.skip()
			}
		}
	case c == 't':
		s.word("true")
	case c == 'f':
		s.word("false")
	case c == 'n':
		s.word("null")
	default:
		s.number()
	}
}

func (s *scan) word(w string) {
	if len(s.b)-s.i < len(w) || string(s.b[s.i:s.i+len(w)]) != w {
		s.fail()
		return
	}
	s.i += len(w)
	s.comma = true
}

func (s *scan) digits() int {
	from := s.i
	for s.i < len(s.b) && s.b[s.i] >= '0' && s.b[s.i] <= '9' {
		s.i++
	}
	return s.i - from
}

func (s *scan) at(c byte) bool { return s.i < len(s.b) && s.b[s.i] == c }

func (s *scan) number() {
	if s.at('-') {
		s.i++
	}
	leadingZero := s.at('0')
	n := s.digits()
	ok := n > 0 && (n == 1 || !leadingZero)
	if ok && s.at('.') {
		s.i++
		ok = s.digits() > 0
	}
	if ok && (s.at('e') || s.at('E')) {
		s.i++
		if s.at('+') || s.at('-') {
			s.i++
		}
		ok = s.digits() > 0
	}
	if !ok {
		s.fail()
		return
	}
	s.comma = true
}

// stringToken reads the string that begins here.
func (s *scan) stringToken() token {
	s.i++
	from, escaped := s.i, false
	for {
		b, i := s.b, s.i
		for i < len(b) && !stops[b[i]] {
			i++
		}
		s.i = i
		switch {
		case i == len(b):
			s.fail()
			return token{}
		case b[i] == '"':
			s.i++
			s.comma = true
			return token{raw: b[from:i:i], at: from, ok: true, escaped: escaped}
		case b[i] == '\\':
			escaped = true
			if s.escape() {
				continue
			}
		}
		s.fail() // an escape that is none, or a control character
		return token{}
	}
}

// stops are the bytes at which the text of a string needs a look.
var stops = func() (table [256]bool) {
	for c := range ' ' {
		table[c] = true
	}
	table['"'], table['\\'] = true, true
	return table
}()

func (s *scan) escape() bool {
	if s.i+1 >= len(s.b) {
		return false
	}
	switch s.b[s.i+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		s.i += 2
		return true
	case 'u':
		_, ok := hex4(s.b[s.i+2:])
		s.i += 6
		return ok
	default:
		return false
	}
}
