package traffic

import (
	"math"
	"strconv"

	"weighbridge.dev/xk6/plan"
)

// The constants of src/workload/call-plan.ts: the marker with its space, the prompt of a call without text, the smallest one.
const (
	markerBytes      = MarkerBytes + 1
	mediaPromptBytes = 160
	leastBytes       = markerBytes + 1
)

// Call is PlannedCall of src/workload/call-plan.ts, with its names and with its marker in the prompt.
type Call struct {
	// CallID is that of the first attempt.
	CallID, LogicalID string
	Marker, Prompt    string
	Kind, Model       string
	Stream            bool
	MaxTokens         *int64
	Auth              string // bearer or x-api-key
	Multipart         bool
	Image             *plan.Image
	Video             *plan.Video
	// Abort is nil for a call that is read to its end.
	Abort *plan.Abort
	// Watermark counts words of padding; nil for none.
	Watermark *int64
	// Turn of a session, from 1 on; nil outside one.
	Turn  *int64
	Turns int64
	// Members are added to the body; nil for none.
	Members *Members
	// Manner is that of the scenario's target; nil for what nearly all take.
	Manner *Manner
	// ThinkMS is how long to wait before the next turn; nil after the last one.
	ThinkMS *int64
}

// Start is what a trace says of a start; what is nil is as the scenario says.
type Start struct {
	PromptBytes, MaxTokens *int64
	Stream                 *bool
	// HashIDs name the blocks that the prompt begins with; nil where the trace tells none.
	HashIDs []int64
}

// turns that session n has.
func (s *scenario) turns(n int64) int64 {
	if s.text == nil || s.text.Session == nil {
		return 1
	}
	return max(1, size(s.text.Session.Turns, n, "turns", s.seed, s.plan.Name))
}

// call is planCall: n from 0, turn from 1 to turns(n).
func (s *scenario) call(n, turn int64) Call {
	turns := s.turns(n)
	c := Call{
		Kind: s.plan.Kind, Model: s.plan.Model, Auth: "bearer", Image: s.plan.Image, Video: s.plan.Video, Turns: turns,
		Members: s.members, Manner: s.manner,
	}
	share := 0.0
	if s.text != nil {
		share = s.text.StreamShare
	}
	place := s.shuffled(share, n, "stream")
	streamed, nth := int64(0), place-shareOf(place, share)
	if chosen(share, place) {
		streamed, nth = 1, shareOf(place, share)
	}
	c.Stream = streamed == 1
	start := s.start(n)
	if start.Stream != nil {
		c.Stream = *start.Stream
	}
	c.Stream = c.Stream && s.plan.Kind != "embedding"
	if turn > 1 {
		start = Start{} // a trace says what starts
	}
	if s.plan.Kind == "messages" && s.drawn(0.5, nth, "auth", streamed) {
		c.Auth = "x-api-key"
	}
	if s.plan.Image != nil && (s.plan.Kind == "image_edit" || s.plan.Kind == "image_edit_job") {
		c.Multipart = s.drawn(s.plan.Image.MultipartShare, n, "multipart")
	}
	if turn == turns && s.plan.Abort != nil && s.drawn(s.plan.Abort.Share, nth, "abort", streamed) {
		c.Abort = s.plan.Abort
	}
	if s.text != nil {
		s.fillText(&c, n, turn, start)
	}
	s.name(&c, n)
	c.Prompt = s.prompt(&c, n, turn, start)
	return c
}

func (s *scenario) fillText(c *Call, n, turn int64, start Start) {
	if c.MaxTokens = start.MaxTokens; s.plan.Kind == "embedding" {
		c.MaxTokens = nil // it writes nothing
	} else if c.MaxTokens == nil {
		most := size(s.text.MaxTokens, n, "max_tokens", s.seed, s.plan.Name, later(turn)...)
		c.MaxTokens = &most
	}
	if s.text.Watermark != nil && turn == 1 {
		words := watermark(s.text.Watermark, n)
		c.Watermark = &words
	}
	if s.text.Session == nil {
		return
	}
	c.Turn = &turn
	if turn < c.Turns {
		think := size(s.text.Session.ThinkMS, n, "think_ms", s.seed, s.plan.Name, later(turn)...)
		c.ThinkMS = &think
	}
}

// later is what a key holds of a turn: the first one's draws are those of a call outside a session.
func later(turn int64) []int64 {
	if turn == 1 {
		return nil
	}
	return []int64{turn}
}

// name gives the ids of src/core/call-id.ts.
func (s *scenario) name(c *Call, n int64) {
	id := append(append(make([]byte, 0, 64), s.plan.Name...), '/')
	id = strconv.AppendInt(id, n, 10)
	if c.Turn != nil {
		id = strconv.AppendInt(append(id, '.'), *c.Turn, 10)
	}
	c.LogicalID = string(id)
	c.CallID = s.instance + "/" + c.LogicalID + "/1"
	c.Marker = Marker(s.nonce, c.CallID)
}

// drawn is isDrawn: whether call n of those that compete is one of the share.
func (s *scenario) drawn(share float64, n int64, what string, numbers ...int64) bool {
	return chosen(share, s.shuffled(share, n, what, numbers...))
}

// blocks are the divisors of the longest one.
var blocks = [...]int64{1, 2, 4, 5, 10, 20, 25, 50, 100}

// shuffled is the place that n has after its block is shuffled: the fewest calls that hold the share exactly, at most 100.
func (s *scenario) shuffled(share float64, n int64, what string, numbers ...int64) int64 {
	length := blocks[len(blocks)-1]
	for _, calls := range blocks {
		if calls*millionths(share)%1_000_000 == 0 {
			length = calls
			break
		}
	}
	return n - n%length + index(length, n, what, s.seed, s.plan.Name, numbers...)
}

func chosen(share float64, n int64) bool { return shareOf(n+1, share) > shareOf(n, share) }

// shareOf is ⌊of × share⌋ in whole millionths.
func shareOf(of int64, share float64) int64 {
	return of * millionths(share) / 1_000_000
}

func millionths(share float64) int64 { return int64(math.Round(share * 1_000_000)) }
