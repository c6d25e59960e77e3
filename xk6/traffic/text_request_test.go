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
		"completion": {"completion", true, nil, tokens(7), "/v1/completions",
			map[string]any{"model": "m", "prompt": "wb0 hällo", "max_tokens": 7.0, "stream": true, "stream_options": usage}},
		"embedding": {"embedding", false, nil, nil, "/v1/embeddings", map[string]any{"model": "m", "input": "wb0 hällo"}},
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

func TestTheUsersMembersAreAdded(t *testing.T) {
	const body = `{"a\"b":[1],"stream_options":{"continuous_usage_stats":true},"temperature":0.5}`
	for name, c := range map[string]struct {
		body, kind string
		stream     bool
		options    any // of the stream; nil for none
	}{
		"plain":                  {body, "chat", false, nil},
		"streamed":               {body, "chat", true, map[string]any{"include_usage": true, "continuous_usage_stats": true}},
		"usage is not asked for": {`{"stream_options":{"include_usage":false}}`, "chat", true, map[string]any{"include_usage": false}},
		"no options at all":      {`{"stream_options":null}`, "chat", true, nil},
		"of another format":      {body, "responses", true, map[string]any{"continuous_usage_stats": true}},
		"none":                   {"", "chat", true, map[string]any{"include_usage": true}},
	} {
		members, err := membersOf(c.body)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		call := Call{Kind: c.kind, Model: "m", Prompt: "p", Members: members}
		got, err := call.Request(c.stream, nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		found := decoded(t, got.Body)
		if !reflect.DeepEqual(found["stream_options"], c.options) || found["model"] != "m" {
			t.Errorf("%s: %s", name, got.Body)
		}
		if c.body == body && (found["temperature"] != 0.5 || !reflect.DeepEqual(found[`a"b`], []any{1.0})) {
			t.Errorf("%s: %s", name, got.Body)
		}
		if want := int64(1 + len(c.body)); got.PromptBytes != want {
			t.Errorf("%s: the cap reckons with %d bytes, want %d", name, got.PromptBytes, want)
		}
	}
	if _, err := membersOf("[1]"); err == nil || !strings.Contains(err.Error(), "expected a JSON object") {
		t.Errorf("a list: %v", err)
	}
}
