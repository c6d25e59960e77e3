// Package wire gives meaning to what the three text formats, the image and task endpoints and their errors send
// (interface §2, §6, §7). It decodes in place and never fails: what the target sends is data.
package wire

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"weighbridge.dev/xk6/sse"
)

// The text formats.
const (
	KindChat      = "chat"
	KindResponses = "responses"
	KindMessages  = "messages"
	// KindCompletion is chat's format but for its choices, which hold a text each.
	KindCompletion = "completion"
	// KindEmbedding answers with vectors, and never streams.
	KindEmbedding = "embedding"
)

// Step is what one event carried. TTFT stands at the first Content, TTFO at the first Visible.
type Step struct {
	Content  bool // non-empty generated content of any channel: text, refusal, reasoning, tool-call arguments
	Visible  bool // text or refusal
	Terminal bool // the format's own end; an error event is not one
}

// Stream follows one streamed answer.
type Stream interface {
	// Event takes the next event. What comes after the terminal event is counted and not read.
	Event(ev sse.Event) Step
	// Result judges what was seen as if the stream ended now; also good for cut streams.
	Result() Result
}

// Error types of contracts/outcome that this package gives.
const (
	errNoTerminator = "stream_no_terminator"
	errErrorEvent   = "stream_error_event"
	errIncomplete   = "stream_incomplete"
	errBadJSON      = "stream_bad_json"
	errEmpty        = "stream_empty"
	errSchema       = "schema_mismatch"
)

// Result is the judgement on an answer.
type Result struct {
	Complete  bool   // success: the format's own complete ending and no error on the way
	ErrorType string // "" when complete, else an error type of contracts/outcome
	// Finish as served: finish_reason, stop_reason, or for responses "completed", "length" (max_output_tokens),
	// another reason of incompleteness, "failed".
	Finish       string
	TerminalSeen bool
	// Finished tells whether the reason to stop is known, of chat for each choice.
	Finished bool
	Usage    *Usage
	// Tools counts, by name, the calls of tools that the target ran; nil where the answer does not list its output.
	Tools map[string]int

	ResponseID, Model, ServiceTier string

	ErrorCode, APIErrorType, ErrorMessage string // of an error event or a failed response

	OutChars   int    // code points of visible text
	TextSHA256 string // hex, over the visible text as UTF-8; "" if none
	Events     int    // events with data; comments are not counted
	Text       string // the visible text, where it was asked for
	// Beside names what an answer held beside plain text (Refusal, Reasoning, Other), in this order; nil for nothing.
	Beside []string
}

// NewStream makes the state machine of a text format; it panics on any other kind. keepText asks for Result.Text.
func NewStream(kind string, keepText bool) Stream {
	switch kind {
	case KindChat, KindCompletion:
		return &chatStream{base: newBase(kind, keepText), chunk: chatChunk{ofTexts: kind == KindCompletion}}
	case KindResponses:
		return &responsesStream{base: newBase(kind, keepText)}
	case KindMessages:
		return &messagesStream{base: newBase(kind, keepText)}
	}
	panic("wire: no such text format: " + kind)
}

// base is what the three formats share.
type base struct {
	kind     string
	events   int
	terminal bool
	finished bool // the format's reason to stop is known
	content  bool
	badJSON  bool
	failed   bool // an error event, or a response that says failed
	partial  bool // a response that says incomplete for another reason than its length

	finish          string
	id, model, tier string
	apiErr          apiError
	visible         text
	usage           usageSeen
	tools           map[string]int
	channels        channels
}

func newBase(kind string, keepText bool) base { return base{kind: kind, visible: text{keep: keepText}} }

// identify keeps the first id and model served; later ones never replace them.
func (b *base) identify(id, model, tier token) {
	if b.id == "" && id.nonEmpty() {
		b.id = cut(id.String())
	}
	if b.model == "" && model.nonEmpty() {
		b.model = cut(model.String())
	}
	if tier.nonEmpty() && string(tier.raw) != b.tier {
		b.tier = cut(tier.String())
	}
}

func (b *base) fail(e apiError) Step {
	if !b.failed {
		b.failed, b.apiErr = true, e
	}
	return Step{}
}

func (b *base) garbled() Step {
	b.badJSON = true
	return Step{}
}

// see takes one piece of generated content.
func (b *base) see(step *Step, piece token, of channel) {
	if !piece.nonEmpty() {
		return
	}
	b.content, step.Content = true, true
	b.channels.add(of)
	if of.visible() {
		step.Visible = true
		b.visible.add(piece)
	}
}

func (b *base) errorType() string {
	switch {
	case b.failed:
		return errErrorEvent
	case b.partial:
		return errIncomplete
	case b.badJSON:
		return errBadJSON
	case !b.terminal && b.events == 0:
		return errEmpty
	case !b.terminal:
		return errNoTerminator
	case !b.finished && !b.content:
		return errEmpty
	case !b.finished:
		return errIncomplete
	}
	return ""
}

func (b *base) Result() Result {
	r := Result{
		ErrorType: b.errorType(), Finish: b.finish, TerminalSeen: b.terminal, Finished: b.finished,
		ResponseID: b.id, Model: b.model, ServiceTier: b.tier,
		ErrorCode: b.apiErr.code, APIErrorType: b.apiErr.typ, ErrorMessage: cut(b.apiErr.message),
		OutChars: b.visible.chars, TextSHA256: b.visible.hex(), Events: b.events,
		Text: string(b.visible.kept),
	}
	r.Complete = r.ErrorType == ""
	r.Usage = b.usage.usage(b.kind)
	r.Tools = b.tools
	r.Beside = b.channels.beside()
	return r
}

// EndsWithDone tells whether streams of a kind end with [DONE], beside what they say of their end.
func EndsWithDone(kind string) bool { return kind == KindChat || kind == KindCompletion }

func isDone(data []byte) bool { return string(bytes.TrimSpace(data)) == "[DONE]" }

// maxMessage is how many code points of a foreign message are kept.
const maxMessage = 1000

// cut lets go of the rest of a long text.
func cut(s string) string {
	if utf8.RuneCountInString(s) <= maxMessage {
		return s
	}
	n := 0
	for i := range s {
		if n++; n > maxMessage {
			return strings.Clone(s[:i])
		}
	}
	return s
}
