package traffic

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"weighbridge.dev/xk6/plan"
)

// scenario plans the calls of one scenario; safe for concurrent use.
type scenario struct {
	seed            int64
	nonce, instance string
	plan            *plan.Scenario
	text            *plan.Text
	members         *Members
	manner          *Manner
	// prompts of the user's file; nil where prompts are made.
	prompts []string
	// trace says what it knows of a start; nil without a trace.
	trace func(n int64) Start
	// lead is what all prompts begin with, over and over; empty where the marker comes first.
	lead []byte
}

func newScenario(p *plan.Plan, instance string, shape *plan.Scenario) (*scenario, error) {
	members, err := membersOf(shape.Body)
	if err != nil {
		return nil, fmt.Errorf("scenario %s: %w", shape.Name, err)
	}
	s := &scenario{seed: p.Seed, nonce: p.Nonce, instance: instance, plan: shape, text: shape.Text, members: members, manner: &Manner{}}
	if s.text != nil {
		s.manner.LimitKey = s.text.MaxTokensKey
	}
	if s.text != nil && s.text.CachedShare > 0 && s.text.Prompts == nil {
		s.lead = append(sentences(nil, mostDrawnBytes, keyOf("lead", s.seed, shape.Name)), "\n\n"...)
	}
	return s, nil
}

func (s *scenario) start(n int64) Start {
	if s.trace == nil {
		return Start{}
	}
	return s.trace(n)
}

// prompt is what stands before the marker, the marker, a space, and what stands after it.
func (s *scenario) prompt(c *Call, n, turn int64, start Start) string {
	padding, share := int64(0), 0.0
	if c.Watermark != nil {
		padding = *c.Watermark
	}
	if s.text != nil && turn == 1 {
		share = s.text.CachedShare
	}
	if s.prompts != nil {
		text := s.prompts[s.line(n+turn-1)]
		cut := cutAfterSpace(text, share)
		return text[:cut] + c.Marker + " " + text[cut:] + strings.Repeat(paddingWord, int(padding))
	}
	length := int64(mediaPromptBytes)
	switch {
	case s.text == nil:
	case start.PromptBytes != nil:
		length = *start.PromptBytes
	default:
		length = size(s.text.PromptBytes, n, "prompt_bytes", s.seed, s.plan.Name, later(turn)...)
	}
	length = max(leastBytes, length)
	free := length - markerBytes - padding*int64(len(paddingWord))
	room := buffers.Get().(*[]byte)
	buffer := slices.Grow((*room)[:0], int(length)+256) // the last sentence is cut
	if start.HashIDs != nil {
		buffer = appendBlocks(buffer, start.HashIDs, free-1, s.seed)
	} else {
		buffer = s.appendLead(buffer, min(shareOf(length, share), free-1))
	}
	own := max(1, free-int64(len(buffer)))
	buffer = append(append(buffer, c.Marker...), ' ')
	buffer = promptText(buffer, own, keyOf("prompt", s.seed, s.plan.Name, append([]int64{n}, later(turn)...)...))
	for range padding {
		buffer = append(buffer, paddingWord...)
	}
	text := string(buffer)
	if cap(buffer) <= maxKeptBuffer {
		*room = buffer
		buffers.Put(room)
	}
	return text
}

// buffers are those that prompts are made in, but for very long ones.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

const maxKeptBuffer = 64 << 10

// line is which prompt of the file comes at a place.
func (s *scenario) line(place int64) int64 {
	count := int64(len(s.prompts))
	if s.text.Prompts.Order == "in_turn" {
		return place % count
	}
	return index(count, place, "prompts", s.seed, s.plan.Name)
}

// appendLead adds so many bytes of the common text, of which the last is a space.
func (s *scenario) appendLead(buffer []byte, length int64) []byte {
	if length < 2 || len(s.lead) == 0 {
		return buffer
	}
	for left := length - 1; left > 0; {
		part := s.lead[:min(left, int64(len(s.lead)))]
		buffer, left = append(buffer, part...), left-int64(len(part))
	}
	return append(buffer, ' ')
}

// cutAfterSpace is the length of the first share of a text, up to its last space: no word and no character is split.
func cutAfterSpace(text string, share float64) int {
	return strings.LastIndexAny(text[:shareOf(int64(len(text)), share)], " \n\t") + 1
}
