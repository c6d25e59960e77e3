package wire

import "weighbridge.dev/xk6/sse"

// messagesStream reads events of the messages format. Success is a stop_reason and message_stop.
type messagesStream struct {
	base
	template template
}

// messagesEvent holds what one event carries, until the whole of it is known to be valid.
type messagesEvent struct {
	typ                                  token
	message, usage, err, block           []byte
	deltaType, text, thinking, arguments token
	stopReason                           token
}

func (m *messagesStream) Event(ev sse.Event) Step {
	m.events++
	if m.terminal || isDone(ev.Data) || string(ev.Type) == "ping" {
		return Step{}
	}
	var step Step
	if text, ok := m.template.match(ev); ok {
		m.see(&step, text, plainText)
		return step
	}
	m.template.forget()
	e, ok := readMessagesEvent(ev.Data)
	if !ok {
		return m.garbled()
	}
	name := e.typ.raw
	if !e.typ.nonEmpty() {
		name = ev.Type
	}
	switch {
	case carriesError(e.err):
		return m.fail(readErrorObject(e.err))
	case string(name) == "error":
		return m.fail(readErrorObject(ev.Data))
	case string(name) == "message_start":
		m.start(e.message)
	case string(name) == "content_block_start":
		m.readBlock(&step, e.block)
	case string(name) == "content_block_delta":
		switch string(e.deltaType.raw) {
		case "text_delta":
			m.see(&step, e.text, plainText)
			m.template.learn(ev, e.text, holes{})
		case "thinking_delta":
			m.see(&step, e.thinking, reasoning)
		case "input_json_delta":
			m.see(&step, e.arguments, other)
		}
	case string(name) == "message_delta":
		if e.stopReason.nonEmpty() {
			m.finish, m.finished = cut(e.stopReason.String()), true
		}
		m.mergeUsage(e.usage)
	case string(name) == "message_stop":
		m.terminal, step.Terminal = true, true
	}
	return step
}

// mergeUsage: counts are cumulative, a later one overwrites.
func (m *messagesStream) mergeUsage(raw []byte) {
	m.usage.merge(m.kind, raw)
	m.identify(token{}, token{}, tierOf(raw))
}

func (m *messagesStream) start(message []byte) {
	body := readMessageBody(message)
	m.identify(body.id, body.model, token{})
	m.mergeUsage(body.usage)
}

func tierOf(usage []byte) (tier token) {
	s := scan{b: usage}
	if s.object() {
		for s.key() {
			if string(s.name) == "service_tier" {
				tier = s.str()
			} else {
				s.skip()
			}
		}
	}
	return tier
}

func (m *messagesStream) readBlock(step *Step, raw []byte) {
	var body messageBody
	s := scan{b: raw}
	body.readBlock(&s)
	for _, p := range body.pieces {
		m.see(step, p.token, p.of)
	}
}

func readMessagesEvent(data []byte) (e messagesEvent, ok bool) {
	s := scan{b: data}
	if !s.object() {
		return e, false
	}
	for s.key() {
		switch string(s.name) {
		case "type":
			e.typ = s.str()
		case "message":
			e.message = s.raw()
		case "usage":
			e.usage = s.raw()
		case "error":
			e.err = s.raw()
		case "content_block":
			e.block = s.raw()
		case "delta":
			e.readDelta(&s)
		default:
			s.skip()
		}
	}
	return e, s.done()
}

func (e *messagesEvent) readDelta(s *scan) {
	if !s.object() {
		return
	}
	for s.key() {
		switch string(s.name) {
		case "type":
			e.deltaType = s.str()
		case "text":
			e.text = s.str()
		case "thinking":
			e.thinking = s.str()
		case "partial_json":
			e.arguments = s.str()
		case "stop_reason":
			e.stopReason = s.str()
		default:
			s.skip()
		}
	}
}

// messageBody is the message object, streamed (message_start) or plain.
type messageBody struct {
	id, model, stopReason token
	usage, err            []byte
	pieces                []piece
	hasContent            bool
	valid                 bool // one JSON object
}

func readMessageBody(raw []byte) messageBody {
	var m messageBody
	s := scan{b: raw}
	if !s.object() {
		return m
	}
	for s.key() {
		switch string(s.name) {
		case "id":
			m.id = s.str()
		case "model":
			m.model = s.str()
		case "stop_reason":
			m.stopReason = s.str()
		case "usage":
			m.usage = s.raw()
		case "error":
			m.err = s.raw()
		case "content":
			if s.array() {
				m.hasContent, m.pieces = true, m.pieces[:0]
				for s.elem() {
					m.readBlock(&s)
				}
			}
		default:
			s.skip()
		}
	}
	m.valid = s.done()
	return m
}

// readBlock reads a content block; a tool's input counts as arguments when it is not an empty object.
func (m *messageBody) readBlock(s *scan) {
	if !s.object() {
		return
	}
	var typ, text, thinking token
	var input []byte
	for s.key() {
		switch string(s.name) {
		case "type":
			typ = s.str()
		case "text":
			text = s.str()
		case "thinking":
			thinking = s.str()
		case "input":
			input = s.raw()
		default:
			s.skip()
		}
	}
	switch string(typ.raw) {
	case "text":
		m.pieces = append(m.pieces, piece{text, plainText})
	case "thinking":
		m.pieces = append(m.pieces, piece{thinking, reasoning})
	case "tool_use":
		if in := (scan{b: input}); in.object() && in.key() {
			m.pieces = append(m.pieces, piece{token{raw: input}, other})
		}
	}
}
