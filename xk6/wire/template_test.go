package wire

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"weighbridge.dev/xk6/sse"
)

// forgetful is a stream that parses every event.
type forgetful struct {
	Stream
	template *template
}

func (f forgetful) Event(ev sse.Event) Step {
	f.template.forget()
	return f.Stream.Event(ev)
}

func parsing(kind string) forgetful {
	switch s := NewStream(kind, true).(type) {
	case *chatStream:
		return forgetful{s, &s.template}
	case *responsesStream:
		return forgetful{s, &s.template}
	case *messagesStream:
		return forgetful{s, &s.template}
	}
	panic(kind)
}

// alike runs events through a stream and through one that parses all of them.
func alike(t *testing.T, kind string, events []sse.Event) {
	t.Helper()
	fast, slow := NewStream(kind, true), parsing(kind)
	for i, ev := range events {
		if got, want := fast.Event(ev), slow.Event(ev); got != want {
			t.Fatalf("event %d of %d, %s: %+v, parsed %+v", i+1, len(events), ev.Data, got, want)
		}
	}
	if got, want := fast.Result(), slow.Result(); !reflect.DeepEqual(got, want) {
		t.Fatalf("%+v\nparsed: %+v", got, want)
	}
}

func TestAnEventThatNeedsNoParsingMeansTheSame(t *testing.T) {
	shapes := map[string][]string{
		"chat": {
			`{"id":"c","model":"m","choices":[{"index":0,"delta":{"content":%s},"finish_reason":null}]}`,
			`{"choices":[{"index":0,"delta":{"content":%s}}],"obfuscation":"x","service_tier":"t1"}`,
			`{"choices":[{"index":0,"delta":{"content":%s}}],"obfuscation":7,"service_tier":"t2"}`,
			`{"choices":[{"index":1,"delta":{"refusal":%s}}],"id":"later"}`,
			`{"choices":[{"index":0,"delta":{"reasoning":%s}}]}`,
			`{"choices":[{"index":0,"delta":{"content":"x","content":%s},"finish_reason":"stop"}]}`,
			`{"choices":[{"index":0,"delta":{"content":%s}}],"usage":{"prompt_tokens":3}}`,
			`{"choices":[{"index":0,"delta":{"content":%s}}],"error":{"message":"no"}}`,
			`{"choices":[{"index":0,"delta":{"content":%s}}]`,
		},
		"responses": {
			`{"type":"response.output_text.delta","sequence_number":5,"delta":%s,"obfuscation":"ab"}`,
			`{"type":"response.output_text.delta","sequence_number":16,"delta":%s,"obfuscation":"c"}`,
			`{"type":"response.output_text.delta","sequence_number":05,"delta":%s,"obfuscation":"c"}`,
			`{"delta":%s,"type":"response.refusal.delta","sequence_number":-7}`,
			`{"delta":%s,"type":"response.reasoning_text.delta","sequence_number":8}`,
			`{"type":"response.completed","response":{"id":"r","output":[]},"delta":%s}`,
		},
		"messages": {
			`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":%s}}`,
			`{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","text":"x","thinking":%s}}`,
			`{"type":"content_block_delta","index":1,"delta":{"text":%s,"type":"text_delta"}}`,
			`{"type":"message_delta","delta":{"stop_reason":"end_turn","text":%s},"usage":{"output_tokens":4}}`,
		},
	}
	texts := []string{`"word"`, `""`, `"w\u00f6\"rd\\"`, `"\ud83d"`, `"a\u12"`, "\"a\nb\"", `null`, `7`, `{"content":"x"}`, `"x"y`, `"open`}
	for kind, list := range shapes {
		var events, learned []sse.Event
		for _, shape := range list {
			for i, text := range texts {
				events = append(events, sse.Event{Data: fmt.Appendf(nil, shape, text)})
				if i < 3 {
					learned = append(learned, events[len(events)-1])
				}
			}
		}
		for _, first := range learned {
			for _, second := range events {
				alike(t, kind, []sse.Event{first, second, first})
				alike(t, kind, []sse.Event{first, {Type: []byte("error"), Data: second.Data}, second})
			}
		}
	}
}

func FuzzTemplate(f *testing.F) {
	for _, c := range loadCorpus(f) {
		f.Add(string(c.raw), 3, "word")
	}
	f.Fuzz(func(t *testing.T, raw string, cut int, insert string) {
		for kind := range hotEvents {
			var events []sse.Event
			keep := func(ev sse.Event) {
				own := sse.Event{Type: []byte(string(ev.Type)), Data: []byte(string(ev.Data))}
				events = append(events, own, own)
				if at := strings.Index(string(own.Data), `"`); at >= 0 {
					at = (at + cut%256 + 256) % (len(own.Data) + 1)
					events = append(events, sse.Event{Type: own.Type, Data: []byte(string(own.Data[:at]) + insert + string(own.Data[at:]))})
				}
			}
			if sse.NewParser(0).Feed([]byte(raw), keep) == nil {
				alike(t, kind, events)
			}
		}
	})
}
