package wire

// embeddingBody reads vectors: an answer is whole with one that is not empty for each of its items, as a list of numbers
// or as base64.
func (b *base) embeddingBody(body []byte) (err []byte, ok bool) {
	var model token
	var usage []byte
	vectors, whole := 0, true
	s := scan{b: body}
	if !s.object() {
		return nil, false
	}
	for s.key() {
		switch string(s.name) {
		case "model":
			model = s.str()
		case "usage":
			usage = s.raw()
		case "error":
			err = s.raw()
		case "data":
			vectors, whole = 0, true
			if s.array() {
				for s.elem() {
					vectors++
					whole = hasVector(&s) && whole
				}
			}
		default:
			s.skip()
		}
	}
	if !s.done() {
		return nil, false
	}
	b.identify(token{}, model, token{})
	b.usage.set(b.kind, usage)
	b.finished, b.content = true, vectors > 0
	return err, vectors > 0 && whole
}

func hasVector(s *scan) bool {
	if !s.object() {
		return false
	}
	has := false
	for s.key() {
		switch {
		case string(s.name) != "embedding":
			s.skip()
		case s.peek() == '[':
			has = false
			if s.array() {
				for s.elem() {
					s.skip()
					has = true
				}
			}
		default:
			has = s.str().nonEmpty()
		}
	}
	return has
}
