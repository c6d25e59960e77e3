package wire

import (
	"bytes"

	"weighbridge.dev/xk6/sse"
)

// template is the last event read, where it carried one piece of visible text and nothing else of its own. The events
// of a stream mostly differ in that string alone, and in members whose value nobody reads; such an event needs no
// parsing, because all but the string, and so all that follows from it, is as it was.
type template struct {
	known bool
	typ   []byte
	fixed [maxHoles + 1][]byte // before, between and behind the holes
	holes int
	text  int // which of the holes is the text
}

const maxHoles = 3

// hole is where a value stands that may differ: the text, or a string or number that is not read.
type hole struct {
	from, to int
	text     bool
}

// holes of the event at hand, in the order in which they stand. An event with more has no template.
type holes struct {
	list [maxHoles]hole
	n    int
}

// pass reads past a value that nobody asks for.
func (h *holes) pass(s *scan) {
	s.ws()
	from := s.i
	s.skip()
	if !s.bad && (s.b[from] == '"' || s.b[from] == '-' || s.b[from] >= '0' && s.b[from] <= '9') {
		h.add(hole{from: from, to: s.i})
	}
}

func (h *holes) add(at hole) {
	if h.n == maxHoles {
		return // the value stays part of the fixed text
	}
	i := h.n
	for ; i > 0 && h.list[i-1].from > at.from; i-- {
		h.list[i] = h.list[i-1]
	}
	h.list[i] = at
	h.n++
}

// learn takes an event whose only content is the text; other are the values in it that nobody reads.
func (t *template) learn(ev sse.Event, text token, other holes) {
	if !text.nonEmpty() || other.n == maxHoles {
		return
	}
	other.add(hole{from: text.at - 1, to: text.at + len(text.raw) + 1, text: true}) // with its quotes
	t.known, t.holes = true, other.n
	t.typ = append(t.typ[:0], ev.Type...)
	at := 0
	for i, h := range other.list[:other.n] {
		t.fixed[i] = append(t.fixed[i][:0], ev.Data[at:h.from]...)
		at = h.to
		if h.text {
			t.text = i
		}
	}
	t.fixed[other.n] = append(t.fixed[other.n][:0], ev.Data[at:]...)
}

// forget is called with every event that is parsed: only the very last one can tell what the next one does.
func (t *template) forget() { t.known = false }

// match gives the text of an event that differs from the template in nothing that is read.
func (t *template) match(ev sse.Event) (text token, ok bool) {
	if !t.known || !bytes.Equal(ev.Type, t.typ) {
		return token{}, false
	}
	s := scan{b: ev.Data}
	for i := range t.holes {
		if !bytes.HasPrefix(s.b[s.i:], t.fixed[i]) {
			return token{}, false
		}
		s.i += len(t.fixed[i])
		switch {
		case s.at('"'):
			if value := s.stringToken(); i == t.text {
				text = value
			}
		case i == t.text:
			return token{}, false
		default:
			s.number()
		}
		if s.bad {
			return token{}, false
		}
	}
	return text, bytes.Equal(s.b[s.i:], t.fixed[t.holes])
}
