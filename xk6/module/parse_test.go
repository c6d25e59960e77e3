package module

import (
	"strings"
	"testing"

	"github.com/grafana/sobek"
	"go.k6.io/k6/v2/js/common"

	"weighbridge.dev/xk6/call"
	"weighbridge.dev/xk6/plan"
	"weighbridge.dev/xk6/traffic"
)

// plannedRequest parses a request about a planned call of the name `call`.
func plannedRequest(t *testing.T, script string) (*request, error) {
	t.Helper()
	rt := sobek.New()
	rt.SetFieldNameMapper(common.FieldNameMapper{}) // as k6 does
	after, turn, tokens := 20.0, int64(2), int64(64)
	object := &plannedObject{rt: rt, scenario: "talk", n: 7, call: traffic.Call{
		CallID: "i0/talk/7.2/1", LogicalID: "talk/7.2", Marker: "wb0000000000000001", Prompt: "wb0000000000000001 hi",
		Kind: "chat", Model: "m", Stream: true, MaxTokens: &tokens, Auth: "bearer", Turn: &turn, Turns: 3,
		Abort: &plan.Abort{Share: 1, AfterMS: &after},
	}}
	if err := rt.Set("call", rt.NewDynamicObject(object)); err != nil {
		t.Fatal(err)
	}
	value, err := rt.RunString("(" + script + ")")
	if err != nil {
		t.Fatal(err)
	}
	return parse(rt, value)
}

func TestARequestTakesFromItsPlannedCallWhatItDoesNotSay(t *testing.T) {
	r, err := plannedRequest(t, `{planned: call, path: "/v1/x", body: {model: call.model, prompt: call.prompt, t: call.turn}}`)
	if err != nil {
		t.Fatal(err)
	}
	req, err := r.request("", true)
	if err != nil {
		t.Fatal(err)
	}
	if req.CallID != "i0/talk/7.2/1" || req.LogicalID != "talk/7.2" || req.Attempt != 1 || req.Kind != "chat" || *req.Model != "m" ||
		*req.MaxTokens != 64 || *req.PromptBytes != 21 || req.Auth != call.Bearer || *req.Turn != 2 || *r.n != 7 ||
		req.Marker != "wb0000000000000001" || req.StopAfter.Time.Milliseconds() != 20 || req.StopAfter.Events != 0 {
		t.Errorf("%+v", req)
	}
	if want := `{"model":"m","prompt":"wb0000000000000001 hi","t":2}`; string(req.Body) != want {
		t.Errorf("want %s, found %s", want, req.Body)
	}
	said, err := plannedRequest(t, `{planned: call, path: "/v1/x", attempt: 3, kind: "image", prompt_bytes: 99, max_tokens: 5,
		model: "other", auth: "none", stop_after: {after_events: 4}, keep_text: true, headers: {a: "b"}, body: "raw"}`)
	if err != nil {
		t.Fatal(err)
	}
	if req, err = said.request("", false); err != nil {
		t.Fatal(err)
	}
	if req.CallID != "i0/talk/7.2/3" || req.Attempt != 3 || req.Kind != "image" || *req.Model != "other" || *req.MaxTokens != 5 ||
		*req.PromptBytes != 99 || req.Auth != call.NoAuth || req.StopAfter.Events != 4 || req.StopAfter.Time != 0 ||
		!req.KeepText || req.Header.Get("A") != "b" || string(req.Body) != "raw" {
		t.Errorf("%+v", req)
	}
}

func TestAMalformedRequestSaysWhatIsExpected(t *testing.T) {
	for script, want := range map[string]string{
		`"text"`:                    "expected a request object",
		`{planned: {call_id: "x"}}`: "planned: expected what plannedCall returned",
		`{path: 5}`:                 "path: expected a text, found 5",
		`{attempt: 1.5}`:            "attempt: expected a whole number, found 1.5",
		`{keep_text: "yes"}`:        "keep_text: expected true or false, found yes",
		`{body: [new Date()]}`:      "body: expected texts, numbers",
		`{promt: "x"}`:              `a request has no member "promt"`,
		`{body: 7}`:                 "body: expected a text, found 7",
	} {
		if _, err := plannedRequest(t, script); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: want %q, found %v", script, want, err)
		}
	}
	for script, want := range map[string]string{
		`{path: "/x", kind: "read"}`:                           "call_id and logical_id must not be empty",
		`{call_id: "a", logical_id: "b", kind: "read"}`:        "path: must not be empty",
		`{planned: call, body: "x"}`:                           "path: must not be empty",
		`{planned: call, path: "/x", history: []}`:             "history: belongs to a planned text call",
		`{planned: call, path: "/x", stop_after: {}}`:          "stop_after: expected after_ms or after_events",
		`{planned: call, path: "/x", kind: "poll"}`:            "kind: expected a paid kind",
		`{planned: call, path: "/x", auth: "basic"}`:           "auth: expected bearer",
		`{planned: call, path: "/x", body: "", multipart: []}`: "expected body or multipart, found both",
	} {
		r, err := plannedRequest(t, script)
		if err != nil {
			t.Errorf("%s: %v", script, err)
			continue
		}
		if _, err = r.request("", false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: want %q, found %v", script, want, err)
		}
	}
}

func TestAPlannedCallCannotBeChanged(t *testing.T) {
	if _, err := plannedRequest(t, `(() => { "use strict"; try { call.model = "x" } catch { return {planned: call, path: "/x"} } })()`); err != nil {
		t.Error(err)
	}
	r, err := plannedRequest(t, `{planned: call, path: JSON.stringify(call)}`)
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"scenario":"talk","n":7,"call_id":"i0/talk/7.2/1",`; !strings.HasPrefix(r.path, want) {
		t.Errorf("want %s…, found %s", want, r.path)
	}
}
