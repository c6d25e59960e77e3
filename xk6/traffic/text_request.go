package traffic

import (
	"errors"
	"fmt"
	"strconv"

	"weighbridge.dev/xk6/jsontext"
)

// Message is a turn of a conversation; the three formats spell it alike.
type Message struct{ Role, Content string }

// TextRequest is a text call in its wire format.
type TextRequest struct {
	Path   string
	Header map[string]string // nil for none
	Body   []byte
	// PromptBytes is the size of all that was said, the call's own prompt and the user's members included.
	PromptBytes int64
}

// The messages vendor's version header: declared optional, to be included (interface §5).
const (
	versionHeader = "anthropic-version"
	version       = "2023-06-01"
)

// Request writes a text call in its wire format; history is what was said before it. A call without a limit carries
// none, which the messages format refuses (interface §2).
func (c *Call) Request(stream bool, history []Message) (*TextRequest, error) {
	said := int64(len(c.Prompt))
	for _, message := range history {
		said += int64(len(message.Content))
	}
	w := &bodyWriter{text: make([]byte, 0, said+said/16+256)}
	w.member("model").string(c.Model)
	options := ""
	out := &TextRequest{PromptBytes: said + c.Members.Bytes()}
	switch c.Kind {
	case "chat":
		out.Path = "/v1/chat/completions"
		w.member("messages").conversation(history, c.Prompt)
		w.limit(c.Manner.limitKey(), c.MaxTokens)
		w.member("stream").bool(stream)
		options = c.Manner.usageOption()
	case "completion":
		if len(history) > 0 {
			return nil, errors.New("a completion carries no conversation")
		}
		out.Path = "/v1/completions"
		w.member("prompt").string(c.Prompt)
		w.limit(maxTokens, c.MaxTokens)
		w.member("stream").bool(stream)
		options = c.Manner.usageOption()
	case "embedding":
		if len(history) > 0 || stream {
			return nil, errors.New("an embedding is one plain call")
		}
		out.Path = "/v1/embeddings"
		w.member("input").string(c.Prompt)
	case "responses":
		out.Path = "/v1/responses"
		if w.member("input"); len(history) == 0 {
			w.string(c.Prompt)
		} else {
			w.conversation(history, c.Prompt)
		}
		w.limit("max_output_tokens", c.MaxTokens)
		w.member("stream").bool(stream)
	case "messages":
		if c.MaxTokens == nil {
			return nil, fmt.Errorf("a messages call of %s needs max_tokens", c.Model)
		}
		out.Path, out.Header = "/v1/messages", map[string]string{versionHeader: version}
		w.member("messages").conversation(history, c.Prompt)
		w.limit("max_tokens", c.MaxTokens)
		w.member("stream").bool(stream)
	default:
		return nil, fmt.Errorf("a call of kind %s has no text format: its path must be said", c.Kind)
	}
	if asked := c.Members.streamed(options); stream && asked != "" {
		w.member(streamOptions).raw(asked)
	}
	out.Body = c.Members.AppendTo(append(w.text, '}'))
	return out, nil
}

// bodyWriter writes one flat object.
type bodyWriter struct{ text []byte }

func (w *bodyWriter) member(name string) *bodyWriter {
	if len(w.text) == 0 {
		w.text = append(w.text, '{')
	} else {
		w.text = append(w.text, ',')
	}
	w.text = append(append(append(w.text, '"'), name...), '"', ':')
	return w
}

func (w *bodyWriter) string(text string) { w.text = jsontext.Append(w.text, text) }

func (w *bodyWriter) bool(flag bool) { w.text = strconv.AppendBool(w.text, flag) }

func (w *bodyWriter) raw(text string) { w.text = append(w.text, text...) }

func (w *bodyWriter) limit(name string, tokens *int64) {
	if tokens != nil {
		w.member(name)
		w.text = strconv.AppendInt(w.text, *tokens, 10)
	}
}

func (w *bodyWriter) conversation(history []Message, prompt string) {
	w.text = append(w.text, '[')
	for _, message := range history {
		w.message(message.Role, message.Content)
		w.text = append(w.text, ',')
	}
	w.message("user", prompt)
	w.text = append(w.text, ']')
}

func (w *bodyWriter) message(role, content string) {
	w.raw(`{"role":`)
	w.string(role)
	w.raw(`,"content":`)
	w.string(content)
	w.text = append(w.text, '}')
}
