package e2e

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"weighbridge.dev/xk6/traffic"
)

func TestCallsAreSentAgainByTheRules(t *testing.T) {
	const calls = 10
	fails := map[string]func(http.ResponseWriter){} // by the marker of a first attempt
	for n := range calls {
		marker := traffic.Marker("n1", fmt.Sprintf("i0/chat/%d/1", n))
		switch n % 3 {
		case 0:
			fails[marker] = func(w http.ResponseWriter) {
				http.Error(w, `{"error":{"message":"m (request id: r1)","type":"new_api_error","code":"upstream_error"}}`, 503)
			}
		case 1:
			fails[marker] = func(w http.ResponseWriter) {
				http.Error(w, `{"error":{"message":"m (request id: r1)","type":"invalid_request_error","code":""}}`, 400)
			}
		case 2:
			fails[marker] = func(w http.ResponseWriter) {
				w.Header().Set("X-Request-Id", "cut")
				w.Header().Set("Content-Length", "5000")
				_, _ = io.WriteString(w, "data: {")
				w.(http.Flusher).Flush()
				panic(http.ErrAbortHandler)
			}
		}
	}
	g := newGateway(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.RequestURI() == "/v1/usage/requests?request_id=cut" {
			_, _ = io.WriteString(w, `{"currency":"USD","next_cursor":"","has_more":false,"data":[`+
				`{"id":"u1","request_id":"cut","billing_status":"settled","amount":"0","refunded_amount":"0"}]}`)
			return
		}
		text, _ := io.ReadAll(r.Body)
		if fail, first := fails[markerPattern.FindString(string(text))]; first {
			fail(w)
			return
		}
		r.Body = io.NopCloser(strings.NewReader(string(text)))
		g.Config.Handler.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	command, dir, output := start(t, &gateway{Server: server}, setup{
		drainMS: 20000, scenarios: []planScenario{textScenario("chat", "chat", calls*1000, 1000)},
		workload: map[string]any{
			"retry": map[string]any{"max_attempts": 3, "first_wait_ms": 5, "factor": 2, "max_wait_ms": 100, "jitter": 0.5},
		},
	})
	if err := command.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	b := read(t, dir)
	for n := range calls {
		first, second := b.paid[fmt.Sprintf("i0/chat/%d/1", n)], b.paid[fmt.Sprintf("i0/chat/%d/2", n)]
		if n%3 == 1 {
			if first.Outcome != "http_error" || second.CallID != "" {
				t.Errorf("call %d: %s, then %q: a malformed request was sent again", n, first.Outcome, second.Outcome)
			}
			continue
		}
		if first.Outcome == "ok" || second.Outcome != "ok" || second.Attempt != 2 || second.LogicalID != first.LogicalID {
			t.Errorf("call %d: %s, then %q at attempt %d", n, first.Outcome, second.Outcome, second.Attempt)
		}
		if first.PlannedAt == nil || second.PlannedAt != nil {
			t.Errorf("call %d: planned at %v and %v", n, first.PlannedAt, second.PlannedAt)
		}
		if !slices.Contains(g.received(), traffic.Marker("n1", second.CallID)) {
			t.Errorf("call %d: no request had the marker of the second attempt", n)
		}
	}
	if len(b.free) != 3 || len(b.intents) != len(b.paid) {
		t.Errorf("%d usage reads for 3 cut calls; %d intents for %d rows", len(b.free), len(b.intents), len(b.paid))
	}
}

// A strict server refuses what it does not know, and names it: the same calls are sent again as it wants them.
func TestTheMannerOfATargetIsLearntFromItsRefusals(t *testing.T) {
	g := newGateway(t)
	good := g.Config.Handler
	g.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		for _, name := range []string{"max_tokens", "stream_options"} {
			if strings.Contains(string(text), `"`+name+`":`) {
				w.WriteHeader(http.StatusBadRequest)
				_, _ = fmt.Fprintf(w, `{"error":{"message":"Unrecognized request argument supplied: %s","type":"invalid_request_error","param":%q}}`, name, name)
				return
			}
		}
		r.Body = io.NopCloser(strings.NewReader(string(text)))
		good.ServeHTTP(w, r)
	})
	command, dir, output := start(t, g, setup{drainMS: 20000, scenarios: []planScenario{
		withText(textScenario("chat", "chat", 8_000, 1000), map[string]any{"stream_share": 1}),
	}})
	if err := command.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	b := read(t, dir)
	attempts := map[string]int{}
	for _, row := range b.paid {
		attempts[row.LogicalID] = max(attempts[row.LogicalID], row.Attempt)
	}
	taken := map[string]bool{} // by the marker of the attempt that was taken
	for _, body := range g.bodies {
		_, texts := said(body)
		taken[markerPattern.FindString(texts[0])] = true
	}
	for id, row := range b.paid {
		last := row.Attempt == attempts[row.LogicalID]
		if last != (row.Outcome == "ok") || last != taken[traffic.Marker("n1", id)] {
			t.Errorf("%s ended %s", id, row.Outcome)
		}
	}
	if len(attempts) != 8 || attempts["chat/0"] != 3 || attempts["chat/7"] != 1 {
		t.Errorf("attempts of each call: %v", attempts)
	}
	for _, body := range g.bodies {
		if body["max_completion_tokens"] != 64.0 {
			t.Errorf("taken with %v", body)
		}
	}
	if !strings.Contains(b.text, `"learnt":["max_completion_tokens","no_stream_options"]`) {
		t.Errorf("the state lines do not tell what was learnt\n%s", output)
	}
}
