package wire

import (
	"slices"
	"testing"

	"weighbridge.dev/xk6/sse"
)

func TestWhatAnAnswerHoldsBesideText(t *testing.T) {
	chat := func(message string) string {
		return `{"choices":[{"index":0,"finish_reason":"stop","message":` + message + `}]}`
	}
	for name, c := range map[string]struct {
		kind, body string
		want       []string
	}{
		"chat, text":       {KindChat, chat(`{"content":"a"}`), nil},
		"chat, refusal":    {KindChat, chat(`{"content":null,"refusal":"no"}`), []string{Refusal}},
		"chat, reasoning":  {KindChat, chat(`{"content":"a","reasoning_content":"b"}`), []string{Reasoning}},
		"chat, tool call":  {KindChat, chat(`{"content":"a","tool_calls":[{"function":{"name":"f","arguments":"{}"}}]}`), []string{Other}},
		"chat, two":        {KindChat, `{"choices":[{"index":0,"finish_reason":"stop","message":{"content":"a"}},{"index":1,"finish_reason":"stop","message":{"content":"b"}}]}`, []string{Other}},
		"responses, text":  {KindResponses, `{"status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"a"}]}]}`, nil},
		"responses, all":   {KindResponses, `{"status":"completed","output":[{"type":"function_call","arguments":"{}"},{"type":"reasoning","summary":[{"type":"summary_text","text":"b"}]},{"type":"message","content":[{"type":"refusal","refusal":"no"}]}]}`, []string{Refusal, Reasoning, Other}},
		"messages, text":   {KindMessages, `{"stop_reason":"end_turn","content":[{"type":"text","text":"a"}]}`, nil},
		"messages, others": {KindMessages, `{"stop_reason":"tool_use","content":[{"type":"thinking","thinking":"a"},{"type":"tool_use","input":{"a":1}}]}`, []string{Reasoning, Other}},
	} {
		if got := ReadBody(c.kind, []byte(c.body), false).Beside; !slices.Equal(got, c.want) {
			t.Errorf("%s: found %q, want %q", name, got, c.want)
		}
	}
	for name, c := range map[string]struct {
		kind, event string
		want        []string
	}{
		"chat, refusal":       {KindChat, `{"choices":[{"index":0,"delta":{"refusal":"no"}}]}`, []string{Refusal}},
		"chat, second":        {KindChat, `{"choices":[{"index":1,"delta":{"content":"a"}}]}`, []string{Other}},
		"responses, refusal":  {KindResponses, `{"type":"response.refusal.delta","delta":"no"}`, []string{Refusal}},
		"responses, summary":  {KindResponses, `{"type":"response.reasoning_summary_text.delta","delta":"a"}`, []string{Reasoning}},
		"responses, call":     {KindResponses, `{"type":"response.function_call_arguments.delta","delta":"{"}`, []string{Other}},
		"messages, thinking":  {KindMessages, `{"type":"content_block_delta","delta":{"type":"thinking_delta","thinking":"a"}}`, []string{Reasoning}},
		"messages, arguments": {KindMessages, `{"type":"content_block_delta","delta":{"type":"input_json_delta","partial_json":"{"}}`, []string{Other}},
	} {
		stream := NewStream(c.kind, false)
		for _, data := range []string{textEvents[c.kind], textEvents[c.kind], c.event} {
			stream.Event(sse.Event{Data: []byte(data)})
		}
		if got := stream.Result().Beside; !slices.Equal(got, c.want) {
			t.Errorf("%s: found %q, want %q", name, got, c.want)
		}
	}
}

var textEvents = map[string]string{
	KindChat:      `{"choices":[{"index":0,"delta":{"content":"a"}}]}`,
	KindResponses: `{"type":"response.output_text.delta","delta":"a"}`,
	KindMessages:  `{"type":"content_block_delta","delta":{"type":"text_delta","text":"a"}}`,
}
