package wire

import (
	"maps"
	"testing"

	"weighbridge.dev/xk6/sse"
)

const toolsBody = `{"id":"r","status":"completed","output":[` +
	`{"id":"a","type":"web_search_call","status":"completed"},{"type":"web_search_call"},{"type":"file_search_call"},` +
	`{"type":"function_call","name":"mine","arguments":"{}"},{"type":"computer_call"},{"type":"message","content":[{"type":"output_text","text":"hi"}]}]}`

func TestCallsOfTheTargetsOwnToolsAreCounted(t *testing.T) {
	want := map[string]int{"web_search": 2, "file_search": 1}
	plain := ReadBody(KindResponses, []byte(toolsBody), false)
	if !maps.Equal(plain.Tools, want) {
		t.Errorf("plain answer: found %v, want %v", plain.Tools, want)
	}
	stream := NewStream(KindResponses, false)
	stream.Event(sse.Event{Type: []byte("response.completed"), Data: []byte(`{"type":"response.completed","response":` + toolsBody + `}`)})
	if got := stream.Result().Tools; !maps.Equal(got, want) {
		t.Errorf("stream: found %v, want %v", got, want)
	}
	cut := NewStream(KindResponses, false)
	cut.Event(sse.Event{Data: []byte(`{"type":"response.output_item.done","item":{"type":"web_search_call"}}`)})
	if got := cut.Result().Tools; got != nil {
		t.Errorf("a cut stream does not list its output, found %v", got)
	}
}
