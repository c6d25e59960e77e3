package wire

// ReadBody judges a plain JSON answer of a text format, with the same meaning as a stream's Result. TextSHA256 is over
// the same text as a stream would give; TerminalSeen and Events stay zero. An answer of another shape, and one that is
// not JSON, is a schema_mismatch; an error object inside it is read all the same.
func ReadBody(kind string, body []byte, keepText bool) Result {
	b := newBase(kind, keepText)
	var err []byte
	var ok bool
	switch kind {
	case KindChat, KindCompletion:
		err, ok = b.chatBody(body)
	case KindEmbedding:
		err, ok = b.embeddingBody(body)
	case KindResponses:
		err, ok = b.responsesBody(body)
	case KindMessages:
		err, ok = b.messagesBody(body)
	default:
		panic("wire: no such text format: " + kind)
	}
	b.terminal = true
	r := b.Result()
	r.TerminalSeen = false
	if ok && !b.failed && carriesError(err) {
		ok = false
	}
	if !ok {
		r.Complete, r.ErrorType = false, errSchema
		e := readErrorObject(err)
		r.ErrorCode, r.APIErrorType, r.ErrorMessage = e.code, e.typ, cut(e.message)
	}
	return r
}

// topLevel is what the answer of a refused call may have.
type topLevel struct {
	valid     bool // one valid JSON object
	err       []byte
	message   token
	success   []byte
	requestID token
}

func readTopLevel(body []byte) topLevel {
	var t topLevel
	s := scan{b: body}
	if !s.object() {
		return t
	}
	for s.key() {
		switch string(s.name) {
		case "error":
			t.err = s.raw()
		case "message":
			t.message = s.str()
		case "success":
			t.success = s.raw()
		case "request_id":
			t.requestID = s.str()
		default:
			s.skip()
		}
	}
	if !s.done() {
		return topLevel{}
	}
	t.valid = true
	return t
}

// chatBody tells the error object of an answer, and whether the answer has the format's shape. Of one that is not JSON
// nothing is taken.
func (b *base) chatBody(body []byte) (err []byte, ok bool) {
	var c chatStream
	k := chatChunk{ofTexts: b.kind == KindCompletion}
	s := scan{b: body}
	if !s.object() {
		return nil, false
	}
	shape := true
	for s.key() {
		switch string(s.name) {
		case "id":
			k.id = s.str()
		case "model":
			k.model = s.str()
		case "service_tier":
			k.tier = s.str()
		case "usage":
			k.usage = s.raw()
		case "error":
			k.err = s.raw()
		case "choices":
			k.choices, k.pieces, shape = nil, nil, true
			if s.array() {
				for s.elem() {
					shape = k.readPlainChoice(&s) && shape
				}
			}
		default:
			s.skip()
		}
	}
	if !s.done() {
		return nil, false
	}
	b.identify(k.id, k.model, k.tier)
	b.usage.set(b.kind, k.usage)
	for _, ch := range k.choices {
		c.choose(ch)
	}
	b.finish, b.finished, b.channels = c.finish, c.finished, c.channels
	b.seeAll(k.pieces)
	return k.err, shape && b.finished
}

// readPlainChoice reads a choice whose text stands in message; false without a message object.
func (k *chatChunk) readPlainChoice(s *scan) (hasMessage bool) {
	if !s.object() {
		return false
	}
	var ch chunkChoice
	before := len(k.pieces)
	for s.key() {
		switch string(s.name) {
		case "index":
			ch.index, _ = s.integer()
		case "finish_reason":
			ch.finish = s.str()
		case "message":
			k.pieces = k.pieces[:before]
			hasMessage = s.peek() == '{'
			k.readDelta(s)
		case "text":
			hasMessage = k.readText(s, before) || hasMessage
		default:
			s.skip()
		}
	}
	k.choices = append(k.choices, ch)
	return hasMessage
}

func (b *base) responsesBody(body []byte) (err []byte, ok bool) {
	r := readResponseBody(body)
	if !r.valid {
		return nil, false
	}
	b.identify(r.id, r.model, r.tier)
	b.usage.set(b.kind, r.usage)
	b.seeAll(r.pieces)
	b.tools = r.tools
	switch r.status.String() {
	case "completed":
		b.end("completed", true)
	case "incomplete":
		b.incomplete(r)
	case "failed":
		b.end("failed", false)
		b.fail(readErrorObject(r.err))
		return r.err, true
	default:
		return r.err, false
	}
	return r.err, r.hasOutput
}

func (b *base) messagesBody(body []byte) (err []byte, ok bool) {
	m := readMessageBody(body)
	if !m.valid {
		return nil, false
	}
	b.identify(m.id, m.model, tierOf(m.usage))
	b.usage.set(b.kind, m.usage)
	b.seeAll(m.pieces)
	b.finish = cut(m.stopReason.String())
	b.finished = b.finish != ""
	return m.err, m.hasContent && b.finished
}

func (b *base) seeAll(pieces []piece) {
	var step Step
	length := 0
	for _, p := range pieces {
		if p.of.visible() {
			length += len(p.token.raw)
		}
	}
	b.visible.expect(length)
	for _, p := range pieces {
		b.see(&step, p.token, p.of)
	}
}
