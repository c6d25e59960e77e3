package wire

import (
	"testing"

	"weighbridge.dev/xk6/sse"
)

var hotEvents = map[string]string{
	"completion": `{"id":"cmpl-1","object":"text_completion","choices":[{"index":0,"text":" word","logprobs":null,"finish_reason":null}]}`,
	"chat":       `{"id":"chatcmpl-20261120","object":"chat.completion.chunk","created":1763600000,"model":"acme/swift-1","choices":[{"index":0,"delta":{"content":" word"},"logprobs":null,"finish_reason":null}]}`,
	"responses":  `{"type":"response.output_text.delta","sequence_number":5,"item_id":"msg_1","output_index":0,"content_index":0,"delta":" word","logprobs":[]}`,
	"messages":   `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":" word"}}`,
}

func TestNoAllocationPerContentEvent(t *testing.T) {
	for kind, data := range hotEvents {
		s, ev := NewStream(kind, false), sse.Event{Data: []byte(data)}
		s.Event(ev)
		if n := testing.AllocsPerRun(200, func() {
			if !s.Event(ev).Visible {
				t.Fatal("not visible")
			}
		}); n > 0 {
			t.Errorf("%s: %v allocations per event", kind, n)
		}
		equal(t, kind+" chars", s.Result().OutChars, 5*202) // AllocsPerRun runs once more to warm up
	}
}

func TestNewStreamPanicsOnOtherKinds(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Fatal("no panic")
		}
	}()
	NewStream("image", false)
}

func BenchmarkEvent(b *testing.B) {
	for kind, data := range hotEvents {
		b.Run(kind, func(b *testing.B) {
			s, ev := NewStream(kind, false), sse.Event{Data: []byte(data)}
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				s.Event(ev)
			}
		})
	}
}

// FuzzStream: no bytes make a state machine panic, and nothing that ends without its terminal event is complete.
func FuzzStream(f *testing.F) {
	for _, c := range loadCorpus(f) {
		f.Add(c.raw)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		for kind := range hotEvents {
			p, s := sse.NewParser(0), NewStream(kind, false)
			terminals := 0
			if err := p.Feed(raw, func(ev sse.Event) {
				if s.Event(ev).Terminal {
					terminals++
				}
			}); err != nil {
				t.Fatal(err)
			}
			r := s.Result()
			if r.Complete != (r.ErrorType == "") || r.TerminalSeen != (terminals == 1) || terminals > 1 || (r.Complete && !r.TerminalSeen) {
				t.Fatalf("%s: %d terminals, %+v", kind, terminals, r)
			}
		}
		ReadBody("chat", raw, false)
		ReadError(raw)
		ReadImages(raw)
		ReadTask(raw, "id")
	})
}

func TestTextIsHeldOnlyWhereItIsAskedFor(t *testing.T) {
	for _, keep := range []bool{false, true} {
		want := ""
		if keep {
			want = "a"
		}
		for kind, event := range textEvents {
			stream := NewStream(kind, keep)
			stream.Event(sse.Event{Data: []byte(event)})
			equal(t, kind, stream.Result().Text, want)
		}
	}
}
