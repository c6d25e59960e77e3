package traffic

import (
	"slices"
	"strings"
	"testing"
)

// The refusals are those of real servers.
func TestARefusalTeachesTheManner(t *testing.T) {
	for name, c := range map[string]struct {
		message, fixed string
		want           []string
	}{
		"the limit has another name": {"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", "",
			[]string{LearntCompletionTokens}},
		"the name is configured":    {"Unsupported parameter: 'max_tokens' is not supported with this model.", maxTokens, nil},
		"the limit is too large":    {"'max_tokens' or 'max_completion_tokens' is too large: 5000. This model's maximum context length is 4096 tokens.", "", nil},
		"a strict schema":           {`{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"],"msg":"Extra inputs are not permitted"}]}`, "", []string{LearntNoStreamOptions}},
		"an unknown argument":       {"Unrecognized request argument supplied: include_usage", "", []string{LearntNoStreamOptions}},
		"something else altogether": {"Unsupported parameter: 'temperature'", "", nil},
	} {
		m := &Manner{LimitKey: c.fixed}
		known := m.Learn(c.message)
		if learnt := m.Learnt(); !slices.Equal(learnt, c.want) || known != (c.want != nil) {
			t.Errorf("%s: learnt %v (%t)", name, learnt, known)
		}
	}
}

func TestWhatWasLearntIsWritten(t *testing.T) {
	m := &Manner{}
	call := Call{Kind: "chat", Model: "m", Prompt: "p", MaxTokens: tokens(7), Manner: m}
	body := func() map[string]any {
		t.Helper()
		request, err := call.Request(true, nil)
		if err != nil {
			t.Fatal(err)
		}
		return decoded(t, request.Body)
	}
	if first := body(); first["max_tokens"] != 7.0 || first["stream_options"] == nil {
		t.Errorf("at first: %v", first)
	}
	m.Learn("Unknown fields: max_tokens, stream_options")
	if later := body(); later["max_tokens"] != nil || later["max_completion_tokens"] != 7.0 || later["stream_options"] != nil {
		t.Errorf("later: %v", later)
	}
	// What the user asks of a stream is not left out: the refusal is the user's to read.
	call.Members, _ = membersOf(`{"stream_options":{"include_usage":true}}`)
	if asked := body(); asked["stream_options"] == nil {
		t.Errorf("asked for: %v", asked)
	}
	configured := Call{Kind: "chat", Model: "m", Prompt: "p", MaxTokens: tokens(7), Manner: &Manner{LimitKey: maxCompletionTokens}}
	if request, err := configured.Request(false, nil); err != nil || !strings.Contains(string(request.Body), `"max_completion_tokens":7`) {
		t.Errorf("configured: %s, %v", request.Body, err)
	}
}
