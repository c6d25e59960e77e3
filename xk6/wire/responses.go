package wire

import (
	"bytes"
	"strings"

	"weighbridge.dev/xk6/sse"
)

// responsesStream reads events of the responses format. Its ends are response.completed, response.incomplete and
// response.failed; there is no [DONE], and one that comes anyway says nothing.
type responsesStream struct {
	base
	template template
}

func (r *responsesStream) Event(ev sse.Event) Step {
	r.events++
	if r.terminal || isDone(ev.Data) {
		return Step{}
	}
	if text, ok := r.template.match(ev); ok {
		var step Step
		r.see(&step, text, plainText)
		return step
	}
	r.template.forget()
	var unread holes
	var typ, delta token
	var response, nested []byte
	var flat apiError
	s := scan{b: ev.Data}
	if !s.object() {
		return r.garbled()
	}
	for s.key() {
		switch string(s.name) {
		case "type":
			typ = s.str()
		case "delta":
			delta = s.str()
		case "response":
			response = s.raw()
		case "error":
			nested = s.raw()
		case "code", "message":
			flat.readMember(&s)
		case "sequence_number", "obfuscation":
			unread.pass(&s)
		default:
			s.skip()
		}
	}
	if !s.done() {
		return r.garbled()
	}
	name := typ.raw
	if !typ.nonEmpty() {
		name = ev.Type
	}
	switch {
	case carriesError(nested):
		return r.fail(readErrorObject(nested))
	case string(name) == "error":
		return r.fail(flat)
	case bytes.HasSuffix(name, []byte(".delta")):
		var step Step
		of := channelOf(name)
		r.see(&step, delta, of)
		if of == plainText {
			r.template.learn(ev, delta, unread)
		}
		return step
	case response != nil || bytes.HasPrefix(name, []byte("response.")):
		return r.lifecycle(string(name), response)
	}
	return Step{}
}

// channelOf is what an event of this name adds to.
func channelOf(name []byte) channel {
	switch {
	case string(name) == "response.output_text.delta":
		return plainText
	case string(name) == "response.refusal.delta":
		return refusal
	case bytes.HasPrefix(name, []byte("response.reasoning")):
		return reasoning
	}
	return other
}

// lifecycle reads an event that may carry the response object.
func (r *responsesStream) lifecycle(name string, raw []byte) Step {
	var body responseBody
	if raw != nil {
		body = readResponseBody(raw)
		r.identify(body.id, body.model, body.tier)
		r.usage.set(r.kind, body.usage)
	}
	switch name {
	case "response.completed":
		r.end("completed", true)
	case "response.incomplete":
		r.incomplete(body)
	case "response.failed":
		r.end("failed", false)
		r.fail(readErrorObject(body.err))
	default:
		return Step{}
	}
	r.tools = body.tools
	step := Step{Terminal: true}
	if !r.content {
		// A gateway that got a plain answer upstream sends the text with the end only.
		for _, p := range body.pieces {
			r.see(&step, p.token, p.of)
		}
	}
	return step
}

func (b *base) end(finish string, finished bool) {
	b.terminal, b.finish, b.finished = true, finish, finished
}

// incomplete: reaching the asked length is an ordinary end, every other reason is not.
func (b *base) incomplete(body responseBody) {
	if reason := cut(body.reason.String()); reason == "max_output_tokens" {
		b.end("length", true)
	} else {
		b.end(reason, false)
		b.partial = true
	}
}

// responseBody is the response object, streamed or plain.
type responseBody struct {
	id, model, tier, status, reason token
	usage, err                      []byte
	pieces                          []piece
	tools                           map[string]int // of output items: calls of tools that the target runs
	hasOutput                       bool
	valid                           bool // one JSON object
}

func readResponseBody(raw []byte) responseBody {
	var r responseBody
	s := scan{b: raw}
	if !s.object() {
		return r
	}
	for s.key() {
		switch string(s.name) {
		case "id":
			r.id = s.str()
		case "model":
			r.model = s.str()
		case "service_tier":
			r.tier = s.str()
		case "status":
			r.status = s.str()
		case "usage":
			r.usage = s.raw()
		case "error":
			r.err = s.raw()
		case "incomplete_details":
			if s.object() {
				for s.key() {
					if string(s.name) == "reason" {
						r.reason = s.str()
					} else {
						s.skip()
					}
				}
			}
		case "output":
			if s.array() {
				r.hasOutput, r.pieces, r.tools = true, r.pieces[:0], map[string]int{}
				for s.elem() {
					r.readItem(&s)
				}
			}
		default:
			s.skip()
		}
	}
	r.valid = s.done()
	return r
}

// readItem reads an output item: text and refusals of messages, summaries and text of reasoning, arguments of calls.
func (r *responseBody) readItem(s *scan) {
	if !s.object() {
		return
	}
	for s.key() {
		switch string(s.name) {
		case "content", "summary":
			if s.array() {
				for s.elem() {
					r.readPart(s)
				}
			}
		case "arguments", "input":
			r.pieces = append(r.pieces, piece{s.str(), other})
		case "type":
			if tool := serverTool(s.str()); tool != "" {
				r.tools[tool]++
			}
		default:
			s.skip()
		}
	}
}

// serverTool names the tool of an output item that the target itself called, and charges; "" for any other item, such
// as one that asks the client to call.
func serverTool(itemType token) string {
	name, isCall := strings.CutSuffix(itemType.String(), "_call")
	if !isCall || name == "function" || name == "custom_tool" || name == "local_shell" || name == "computer" {
		return ""
	}
	return cut(name)
}

func (r *responseBody) readPart(s *scan) {
	if !s.object() {
		return
	}
	var typ, text, refused token
	for s.key() {
		switch string(s.name) {
		case "type":
			typ = s.str()
		case "text":
			text = s.str()
		case "refusal":
			refused = s.str()
		default:
			s.skip()
		}
	}
	switch string(typ.raw) {
	case "refusal":
		r.pieces = append(r.pieces, piece{refused, refusal})
	case "output_text":
		r.pieces = append(r.pieces, piece{text, plainText})
	case "reasoning_text", "summary_text":
		r.pieces = append(r.pieces, piece{text, reasoning})
	default:
		r.pieces = append(r.pieces, piece{text, other})
	}
}
