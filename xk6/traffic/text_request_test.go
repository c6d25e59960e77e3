package traffic

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

func decoded(t *testing.T, text []byte) map[string]any {
	t.Helper()
	var body map[string]any
	if err := json.Unmarshal(text, &body); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return body
}

func tokens(n int64) *int64 { return &n }

func message(role, content string) map[string]any {
	return map[string]any{"role": role, "content": content}
}

// What each format wants: interface §2 and §6.
func TestEachFormatHasItsOwnBody(t *testing.T) {
	said := []Message{{"user", "one"}, {"assistant", "two \"2\"\n"}}
	turns := []any{message("user", "one"), message("assistant", "two \"2\"\n"), message("user", "wb0 hällo")}
	last := []any{message("user", "wb0 hällo")}
	usage := map[string]any{"include_usage": true}
	for name, c := range map[string]struct {
		kind    string
		stream  bool
		history []Message
		limit   *int64
		path    string
		body    map[string]any
	}{
		"chat": {"chat", false, nil, tokens(7), "/v1/chat/completions",
			map[string]any{"model": "m", "messages": last, "max_tokens": 7.0, "stream": false}},
		"chat, streamed, without a limit, later turn": {"chat", true, said, nil, "/v1/chat/completions",
			map[string]any{"model": "m", "messages": turns, "stream": true, "stream_options": usage}},
		"responses": {"responses", true, nil, tokens(7), "/v1/responses",
			map[string]any{"model": "m", "input": "wb0 hällo", "max_output_tokens": 7.0, "stream": true}},
		"responses, later turn": {"responses", false, said, nil, "/v1/responses",
			map[string]any{"model": "m", "input": turns, "stream": false}},
		"messages": {"messages", true, nil, tokens(7), "/v1/messages",
			map[string]any{"model": "m", "messages": last, "max_tokens": 7.0, "stream": true}},
	} {
		call := Call{Kind: c.kind, Model: "m", Prompt: "wb0 hällo", MaxTokens: c.limit}
		got, err := call.Request(c.stream, c.history)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if body := decoded(t, got.Body); got.Path != c.path || !reflect.DeepEqual(body, c.body) {
			t.Errorf("%s: %s %v", name, got.Path, body)
		}
		want := int64(len("wb0 hällo"))
		if c.history != nil {
			want += int64(len("one") + len("two \"2\"\n"))
		}
		if got.PromptBytes != want {
			t.Errorf("%s: expected %d bytes of prompt, found %d", name, want, got.PromptBytes)
		}
		if version := got.Header["anthropic-version"]; (version != "") != (c.kind == "messages") {
			t.Errorf("%s: the version header is %q", name, version)
		}
	}
}

func TestWhatHasNoTextFormatIsRefused(t *testing.T) {
	for kind, want := range map[string]string{"image": "no text format", "messages": "max_tokens"} {
		call := Call{Kind: kind, Model: "m", Prompt: "p"}
		if _, err := call.Request(false, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: want %q, found %v", kind, want, err)
		}
	}
}
