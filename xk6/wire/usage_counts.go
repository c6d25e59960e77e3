package wire

// tokens is a number of tokens as served.
type tokens struct {
	n    int64
	told telling
}

type telling uint8

const (
	silent  telling = iota // absent or null
	number                 // whole, from 0 to maxInteger
	garbled                // anything else
)

func (t tokens) count() *int64 {
	if t.told != number {
		return nil
	}
	return &t.n
}

func largest(a, b tokens) tokens {
	if b.told == number && (a.told != number || b.n > a.n) {
		return b
	}
	return a
}

func (s *scan) tokens() tokens {
	raw := s.raw()
	if len(raw) == 0 {
		return tokens{}
	}
	if n, ok := parseInteger(raw); ok && n >= 0 {
		return tokens{n, number}
	}
	return tokens{told: garbled}
}

func (s *scan) count() *int64 { return s.tokens().count() }

// usageCounts is one usage object, input as its format has it.
type usageCounts struct{ input, output, cacheRead, cacheWrite, reasoning tokens }

// readCounts decodes a usage object of a format; false for an empty one and for anything else.
func readCounts(kind string, raw []byte) (u usageCounts, ok bool) {
	if kind == KindCompletion || kind == KindEmbedding {
		kind = KindChat // which spells it so, too
	}
	s := scan{b: raw}
	if !s.object() {
		return u, false
	}
	members := 0
	for ; s.key(); members++ {
		switch kind + "." + string(s.name) {
		case "chat.prompt_tokens", "responses.input_tokens", "messages.input_tokens":
			u.input = s.tokens()
		case "chat.completion_tokens", "responses.output_tokens", "messages.output_tokens":
			u.output = s.tokens()
		case "messages.cache_read_input_tokens":
			u.cacheRead = s.tokens()
		case "messages.cache_creation_input_tokens":
			u.cacheWrite = s.tokens()
		case "chat.prompt_tokens_details", "responses.input_tokens_details":
			u.readInputDetails(&s)
		case "chat.completion_tokens_details", "responses.output_tokens_details":
			u.readOutputDetails(&s)
		default:
			s.skip()
		}
	}
	return u, members > 0 && s.done()
}

// wholeInput has the cache inside: in the messages format alone input_tokens leaves it out. A part that cannot be read
// leaves the sum unknown, and so does a sum that no count can hold.
func (u usageCounts) wholeInput(kind string) tokens {
	sum := u.input
	if kind != KindMessages || sum.told != number {
		return sum
	}
	for _, part := range [...]tokens{u.cacheRead, u.cacheWrite} {
		if part.told == garbled {
			return part
		}
		sum.n += part.n
	}
	if sum.n > maxInteger {
		return tokens{told: garbled}
	}
	return sum
}

// updated has the later counts where they were told.
func (u usageCounts) updated(later usageCounts) usageCounts {
	newer := func(old *tokens, update tokens) {
		if update.told != silent {
			*old = update
		}
	}
	newer(&u.input, later.input)
	newer(&u.output, later.output)
	newer(&u.cacheRead, later.cacheRead)
	newer(&u.cacheWrite, later.cacheWrite)
	return u
}

func (u *usageCounts) readInputDetails(s *scan) {
	if !s.object() {
		return
	}
	for s.key() {
		switch string(s.name) {
		case "cached_tokens":
			u.cacheRead = s.tokens()
		case "cache_write_tokens":
			u.cacheWrite = s.tokens()
		default:
			s.skip()
		}
	}
}

func (u *usageCounts) readOutputDetails(s *scan) {
	if !s.object() {
		return
	}
	for s.key() {
		if string(s.name) == "reasoning_tokens" {
			u.reasoning = s.tokens()
		} else {
			s.skip()
		}
	}
}
