package wire

import (
	"testing"

	"weighbridge.dev/xk6/sse"
)

func TestACompletionStreamsTexts(t *testing.T) {
	s := NewStream(KindCompletion, true)
	for _, data := range []string{
		`{"id":"cmpl-1","model":"m","choices":[{"text":"Hel","index":0,"finish_reason":null}]}`,
		`{"id":"cmpl-1","model":"m","choices":[{"text":"lo","index":0,"finish_reason":null}]}`,
		`{"id":"cmpl-1","choices":[{"text":"","index":0,"finish_reason":"length"}]}`,
		`{"id":"cmpl-1","choices":[],"usage":{"prompt_tokens":5,"completion_tokens":2}}`,
		"[DONE]",
	} {
		s.Event(sse.Event{Data: []byte(data)})
	}
	r := s.Result()
	if !r.Complete || r.Text != "Hello" || r.Finish != "length" || r.ResponseID != "cmpl-1" || *r.Usage.Input != 5 || *r.Usage.Output != 2 {
		t.Errorf("%+v", r)
	}
	other := NewStream(KindChat, true)
	other.Event(sse.Event{Data: []byte(`{"choices":[{"text":"a","index":0,"finish_reason":null}]}`)})
	if text := other.Result().Text; text != "" {
		t.Errorf("of chat it is no text: %q", text)
	}
}

func TestPlainAnswersOfCompletionsAndEmbeddings(t *testing.T) {
	const usage = `"usage":{"prompt_tokens":5,"total_tokens":5}`
	for name, c := range map[string]struct {
		kind, body string
		whole      bool
	}{
		"a completion":           {KindCompletion, `{"choices":[{"text":"a","index":0,"finish_reason":"stop"}],` + usage + `}`, true},
		"an empty text":          {KindCompletion, `{"choices":[{"text":"","index":0,"finish_reason":"stop"}],` + usage + `}`, true},
		"a message in its place": {KindChat, `{"choices":[{"text":"a","index":0,"finish_reason":"stop"}],` + usage + `}`, false},
		"no reason to stop":      {KindCompletion, `{"choices":[{"text":"a","index":0,"finish_reason":null}],` + usage + `}`, false},
		"vectors":                {KindEmbedding, `{"object":"list","data":[{"embedding":[0.1,-2e-3],"index":0},{"embedding":"AAAA"}],` + usage + `}`, true},
		"an empty vector":        {KindEmbedding, `{"data":[{"embedding":[0.1]},{"embedding":[]}],` + usage + `}`, false},
		"no vector":              {KindEmbedding, `{"data":[],` + usage + `}`, false},
		"an error under 200":     {KindEmbedding, `{"error":{"message":"no"},"data":[{"embedding":[1]}],` + usage + `}`, false},
		"cut off":                {KindEmbedding, `{` + usage + `,"data":[{"embedding":[1`, false},
	} {
		r := ReadBody(c.kind, []byte(c.body), false)
		if r.Complete != c.whole {
			t.Errorf("%s: %+v", name, r)
		}
		if c.whole && (*r.Usage.Input != 5 || r.Usage.Output != nil) {
			t.Errorf("%s: usage %+v", name, r.Usage)
		}
	}
}
