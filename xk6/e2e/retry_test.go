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
