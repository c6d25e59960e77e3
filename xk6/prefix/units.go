package prefix

import "bytes"

// parts are the members of a body that make its prompt, in the order in which a model reads them.
var parts = [...]string{"tools", "system", "instructions", "messages", "input", "prompt"}

const (
	// mark is where a client asks for a cache: it moves from turn to turn and is no part of what is said.
	mark      = "cache_control"
	mostDepth = 64
)

// unitsOf are the prompt's parts as JSON without white space and marks, a list by its entries; nil where there are none.
func unitsOf(body []byte) [][]byte {
	r := &reader{text: body, kept: make([]byte, 0, len(body))}
	var found [len(parts)][][]byte
	prompted := false
	whole := r.members(func(name []byte) bool {
		part := partOf(name)
		if part < 0 {
			return r.unkept()
		}
		prompted = true
		r.space()
		if !r.is('[') {
			return r.unit(&found[part])
		}
		return r.entries(func() bool { return r.unit(&found[part]) })
	})
	if !whole || !prompted {
		return nil
	}
	units := [][]byte{}
	for _, each := range found {
		units = append(units, each...)
	}
	return units
}

func partOf(name []byte) int {
	for i, part := range parts {
		if string(name) == part {
			return i
		}
	}
	return -1
}

// reader passes JSON on, byte by byte. Its methods report whether the text went on as JSON does.
type reader struct {
	text  []byte
	at    int
	kept  []byte
	muted int
}

// unit keeps one value as an entry of a list. Room for all that is kept was made before: no slice moves.
func (r *reader) unit(into *[][]byte) bool {
	from := len(r.kept)
	if !r.value(0) {
		return false
	}
	*into = append(*into, r.kept[from:len(r.kept):len(r.kept)])
	return true
}

func (r *reader) unkept() bool {
	r.muted++
	defer func() { r.muted-- }()
	return r.value(0)
}

func (r *reader) value(depth int) bool {
	r.space()
	switch {
	case depth > mostDepth || r.at >= len(r.text):
		return false
	case r.is('"'):
		return r.string()
	case r.is('{'):
		return r.object(depth)
	case r.is('['):
		return r.list(depth)
	}
	from := r.at
	for r.at < len(r.text) && !ends(r.text[r.at]) {
		r.at++
	}
	r.keep(r.text[from:r.at])
	return r.at > from
}

func (r *reader) object(depth int) bool {
	r.keep([]byte{'{'})
	empty := true
	whole := r.members(func(name []byte) bool {
		if string(name) == mark {
			return r.unkept()
		}
		if !empty {
			r.keep([]byte{','})
		}
		empty = false
		r.keep([]byte{'"'})
		r.keep(name)
		r.keep([]byte{'"', ':'})
		return r.value(depth + 1)
	})
	r.keep([]byte{'}'})
	return whole
}

func (r *reader) list(depth int) bool {
	r.keep([]byte{'['})
	empty := true
	whole := r.entries(func() bool {
		if !empty {
			r.keep([]byte{','})
		}
		empty = false
		return r.value(depth + 1)
	})
	r.keep([]byte{']'})
	return whole
}

// members hands out the names of an object, each where its value begins.
func (r *reader) members(each func(name []byte) bool) bool {
	r.space()
	if !r.is('{') {
		return false
	}
	return r.between('}', func() bool {
		from := r.at + 1
		r.muted++
		named := r.is('"') && r.string()
		r.muted--
		if !named {
			return false
		}
		name := r.text[from : r.at-1]
		r.space()
		if !r.is(':') {
			return false
		}
		r.at++
		return each(name)
	})
}

func (r *reader) entries(each func() bool) bool { return r.between(']', each) }

// between goes from the opening bracket it stands at beyond the closing one.
func (r *reader) between(closing byte, each func() bool) bool {
	r.at++
	for first := true; ; first = false {
		r.space()
		if r.is(closing) {
			r.at++
			return true
		}
		if !first {
			if !r.is(',') {
				return false
			}
			r.at++
			r.space()
		}
		if !each() {
			return false
		}
	}
}

func (r *reader) string() bool {
	from := r.at
	for r.at++; ; r.at++ {
		next := bytes.IndexByte(r.text[r.at:], '"')
		if next < 0 {
			return false
		}
		if r.at += next; !r.escaped() {
			r.at++
			r.keep(r.text[from:r.at])
			return true
		}
	}
}

// escaped is a sign behind an odd number of backslashes.
func (r *reader) escaped() bool {
	before := r.at
	for r.text[before-1] == '\\' {
		before--
	}
	return (r.at-before)%2 == 1
}

func (r *reader) keep(part []byte) {
	if r.muted == 0 {
		r.kept = append(r.kept, part...)
	}
}

func (r *reader) is(char byte) bool { return r.at < len(r.text) && r.text[r.at] == char }

func (r *reader) space() {
	for r.at < len(r.text) && (r.text[r.at] == ' ' || r.text[r.at] == '\n' || r.text[r.at] == '\r' || r.text[r.at] == '\t') {
		r.at++
	}
}

func ends(char byte) bool {
	switch char {
	case ',', ']', '}', ':', ' ', '\n', '\r', '\t', '"', '{', '[':
		return true
	}
	return false
}
