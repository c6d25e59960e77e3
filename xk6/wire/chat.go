package wire

import "weighbridge.dev/xk6/sse"

// chatStream reads chat chunks. [DONE] alone proves nothing, gateways write it over a cut upstream: success needs a
// finish_reason for every choice seen as well.
type chatStream struct {
	base
	choices  []choice
	chunk    chatChunk
	template template
}

type choice struct {
	index  int64
	finish string
}

// chatChunk holds what one event carries, until the whole of it is known to be valid. Reused.
type chatChunk struct {
	id, model, tier token
	usage, err      []byte
	choices         []chunkChoice
	pieces          []piece
	unread          holes
	// ofTexts: the text of a choice stands beside its index, as completions have it.
	ofTexts bool
}

type chunkChoice struct {
	index  int64
	finish token
}

type piece struct {
	token token
	of    channel
}

func (c *chatStream) Event(ev sse.Event) Step {
	c.events++
	if c.terminal {
		return Step{}
	}
	var step Step
	if text, ok := c.template.match(ev); ok {
		c.see(&step, text, plainText)
		return step
	}
	c.template.forget()
	if isDone(ev.Data) {
		c.terminal = true
		return Step{Terminal: true}
	}
	if !c.chunk.read(ev.Data) {
		return c.garbled()
	}
	k := &c.chunk
	c.identify(k.id, k.model, k.tier)
	if k.usage != nil {
		c.usage.set(c.kind, k.usage)
	}
	if carriesError(k.err) {
		return c.fail(readErrorObject(k.err))
	}
	if string(ev.Type) == "error" {
		return c.fail(readErrorObject(ev.Data))
	}
	if len(k.pieces) == 1 && k.pieces[0].of == plainText && k.usage == nil {
		c.template.learn(ev, k.pieces[0].token, k.unread)
	}
	for _, ch := range k.choices {
		c.choose(ch)
	}
	for _, p := range k.pieces {
		c.see(&step, p.token, p.of)
	}
	return step
}

// choose notes a choice and its finish_reason; "" and null mean not yet.
func (c *chatStream) choose(ch chunkChoice) {
	at := -1
	for i := range c.choices {
		if c.choices[i].index == ch.index {
			at = i
		}
	}
	if at < 0 {
		c.choices = append(c.choices, choice{index: ch.index})
		at = len(c.choices) - 1
		if at > 0 { // the text of several answers is no text of one
			c.channels.add(other)
		}
	}
	if ch.finish.nonEmpty() {
		c.choices[at].finish = cut(ch.finish.String())
	}
	first := c.choices[0]
	c.finished = true
	for _, seen := range c.choices {
		c.finished = c.finished && seen.finish != ""
		if seen.index < first.index {
			first = seen
		}
	}
	c.finish = first.finish
}

func (k *chatChunk) read(data []byte) bool {
	*k = chatChunk{choices: k.choices[:0], pieces: k.pieces[:0], ofTexts: k.ofTexts}
	s := scan{b: data}
	if !s.object() {
		return false
	}
	var choiceUsage []byte
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
		case "obfuscation": // random padding
			k.unread.pass(&s)
		case "choices":
			k.choices, k.pieces, choiceUsage = k.choices[:0], k.pieces[:0], nil // of two members the last holds
			if s.array() {
				for s.elem() {
					if u := k.readChoice(&s); u != nil {
						choiceUsage = u
					}
				}
			}
		default:
			s.skip()
		}
	}
	if k.usage == nil {
		k.usage = choiceUsage
	}
	return s.done()
}

// readChoice returns the usage that some upstreams put into the choice.
func (k *chatChunk) readChoice(s *scan) (usage []byte) {
	if !s.object() {
		return nil
	}
	var ch chunkChoice
	before := len(k.pieces)
	for s.key() {
		switch string(s.name) {
		case "index":
			ch.index, _ = s.integer()
		case "finish_reason":
			ch.finish = s.str()
		case "delta":
			k.pieces = k.pieces[:before]
			k.readDelta(s)
		case "text":
			k.readText(s, before)
		case "usage":
			usage = s.raw()
		default:
			s.skip()
		}
	}
	k.choices = append(k.choices, ch)
	return usage
}

// readText reads the text of a completion's choice, and reports whether there is one; of other formats it is passed.
func (k *chatChunk) readText(s *scan, before int) bool {
	if !k.ofTexts {
		s.skip()
		return false
	}
	text := s.str()
	k.pieces = k.pieces[:before]
	k.add(text, plainText)
	return text.ok
}

// readDelta reads the channels of a delta or a message; visible text always comes before the refusal.
func (k *chatChunk) readDelta(s *scan) {
	if !s.object() {
		return
	}
	var content, refused, reasoningContent, reasoned token
	for s.key() {
		switch string(s.name) {
		case "content":
			content = s.str()
		case "refusal":
			refused = s.str()
		case "reasoning_content":
			reasoningContent = s.str()
		case "reasoning":
			reasoned = s.str()
		case "tool_calls":
			if s.array() {
				for s.elem() {
					k.readToolCall(s)
				}
			}
		case "function_call":
			k.readFunction(s)
		default:
			s.skip()
		}
	}
	k.add(content, plainText)
	k.add(refused, refusal)
	k.add(reasoningContent, reasoning)
	k.add(reasoned, reasoning)
}

func (k *chatChunk) readToolCall(s *scan) {
	if !s.object() {
		return
	}
	for s.key() {
		if string(s.name) == "function" {
			k.readFunction(s)
		} else {
			s.skip()
		}
	}
}

func (k *chatChunk) readFunction(s *scan) {
	if !s.object() {
		return
	}
	for s.key() {
		if string(s.name) == "arguments" {
			k.add(s.str(), other)
		} else {
			s.skip()
		}
	}
}

func (k *chatChunk) add(t token, of channel) {
	if t.nonEmpty() {
		k.pieces = append(k.pieces, piece{t, of})
	}
}
