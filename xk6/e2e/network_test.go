package e2e

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// addresses collects the remote address of each connection that a handler served.
type addresses struct {
	mu   sync.Mutex
	seen map[string]int
}

func (a *addresses) around(next http.Handler) http.Handler {
	a.seen = map[string]int{}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a.mu.Lock()
		a.seen[r.RemoteAddr]++
		a.mu.Unlock()
		next.ServeHTTP(w, r)
	})
}

func (a *addresses) count() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.seen)
}

const everyKind = `
export const options = { scenarios: { one: { executor: 'per-vu-iterations', vus: 3, iterations: 4 } } };
const task = { id_field: 'job_id', status_path: '/v1/images/jobs/{id}', result_path: '/v1/images/jobs/{id}/result', result_kind: 'result', first_ms: 5, factor: 1, max_ms: 5 };
const prompt = '{"prompt":"wb0123456789abcdef"}';
export default async function () {
  await chat();
  await c.call({ call_id: id(), logical_id: 'l', kind: 'chat', model: 'm', path: '/v1/chat/completions', body: body.replace('true', 'false') });
  await c.poll({ call_id: id(), logical_id: 'l', kind: 'image_job', model: 'm', path: '/v1/images/generations/jobs', body: prompt, task });
}`

func planWith(t *testing.T, http string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "plan.json")
	text := `{"schema":"weighbridge.plan/1","run_id":"run-http","plan_hash":"h","workload":{"seed":1,"http":` + http + `}}`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return "WEIGHBRIDGE_PLAN=" + path
}

func TestStreamsCallsAndTasksOverTLS(t *testing.T) {
	for _, c := range []struct {
		http2 bool
		proto string
	}{{true, "HTTP/2.0"}, {false, "HTTP/1.1"}} {
		t.Run(c.proto, func(t *testing.T) {
			g := newGateway(t)
			g.gap = 30e6
			var connections addresses
			server, caFile := overTLS(t, connections.around(g.Config.Handler), true)
			g.URL = server.URL // where its links lead
			plan := planWith(t, fmt.Sprintf(`{"debug":"off","http2":%t,"reuse":"vu"}`, c.http2))
			done := script(t, server.URL, everyKind, plan, "WEIGHBRIDGE_CA_FILE="+caFile)
			paid, fresh, apart := 0, 0, 0
			for _, row := range done.rows {
				if row.Proto == nil || *row.Proto != c.proto {
					t.Fatalf("%s: proto %v, %s", row.Kind, row.Proto, message(row))
				}
				if row.ConnReused == nil {
					t.Errorf("%s: conn_reused is missing", row.Kind)
				} else if !*row.ConnReused {
					fresh++
				}
				if row.Kind == "chat" || row.Kind == "image_job" {
					paid++
				}
				if row.Stream && (*row.FirstEventMS < *row.HeadersMS || *row.TTFTMS < *row.FirstEventMS || row.EndMS < *row.TTFTMS) {
					t.Errorf("headers at %v, first event at %v, first token at %v, end at %v",
						*row.HeadersMS, *row.FirstEventMS, *row.TTFTMS, row.EndMS)
				}
				if row.Stream && *row.TTFTMS-*row.FirstEventMS >= 10 && row.EndMS-*row.TTFTMS >= 10 {
					apart++
				}
				if row.Outcome != "ok" {
					t.Errorf("%s: %s %s", row.Kind, row.Outcome, message(row))
				}
			}
			if paid != 36 || fresh != connections.count() || fresh != 3 {
				t.Errorf("%d paid calls; %d new connections by the rows, %d by the server", paid, fresh, connections.count())
			}
			if apart == 0 { // a slow machine may read two events at once, but not in every stream
				t.Error("events that the server sent 30 ms apart came together in each stream")
			}
			for _, s := range done.named("http_reqs") {
				if s.Data.Tags["proto"] != c.proto || s.Data.Tags["tls_version"] != "tls1.3" {
					t.Fatalf("tags: %v", s.Data.Tags)
				}
			}
			if n := len(done.named("http_reqs")); n != len(done.rows) { // polls, results and downloads too
				t.Errorf("%d http_reqs for %d rows", n, len(done.rows))
			}
		})
	}
}

// 200 streams at once from one virtual user, twice: the second time on the connections of the first.
func TestAWideVirtualUserKeepsItsConnections(t *testing.T) {
	const streams = 200
	g := newGateway(t)
	var together sync.WaitGroup
	together.Add(streams)
	var second sync.WaitGroup
	second.Add(streams)
	calls, mu := 0, sync.Mutex{}
	g.beforePaid = func(string, string) { // all streams of a round are open at once
		mu.Lock()
		calls++
		round := &together
		if calls > streams {
			round = &second
		}
		mu.Unlock()
		round.Done()
		round.Wait()
	}
	var connections addresses
	server := httptest.NewServer(connections.around(g.Config.Handler))
	t.Cleanup(server.Close)
	done := script(t, server.URL, fmt.Sprintf(`
export const options = { vus: 1, iterations: 2 };
export default () => Promise.all(Array.from({ length: %d }, chat));`, streams))
	done.wantOutcomes(t, 2*streams, "ok")
	reused := 0
	for _, row := range done.rows {
		if *row.ConnReused {
			reused++
		}
	}
	if reused != streams || connections.count() != streams {
		t.Errorf("%d of %d streams reused a connection, the server saw %d", reused, 2*streams, connections.count())
	}
}

// Over HTTP/2 they share a few, and the rows tell which call opened one.
func TestStreamsShareConnectionsOverHTTP2(t *testing.T) {
	const streams = 200
	g := newGateway(t)
	var connections addresses
	server, caFile := overTLS(t, connections.around(g.Config.Handler), true)
	done := script(t, server.URL, fmt.Sprintf(`
export const options = { vus: 1, iterations: 2 };
export default () => Promise.all(Array.from({ length: %d }, chat));`, streams), "WEIGHBRIDGE_CA_FILE="+caFile)
	done.wantOutcomes(t, 2*streams, "ok")
	fresh := 0
	for _, row := range done.rows {
		if !*row.ConnReused {
			fresh++
		}
	}
	if fresh != connections.count() || fresh > streams/4 {
		t.Errorf("%d streams opened a connection, the server saw %d", fresh, connections.count())
	}
}

func TestConnectionsAreKeptAsLongAsK6IsTold(t *testing.T) {
	for option, want := range map[string]int{"": 1, "noVUConnectionReuse: true": 3, "noConnectionReuse: true": 6} {
		t.Run(option, func(t *testing.T) {
			var connections addresses
			server := httptest.NewServer(connections.around(http.HandlerFunc(answerModels)))
			t.Cleanup(server.Close)
			done := script(t, server.URL, `
export const options = { vus: 1, iterations: 3, `+option+` };
export default async function () { await plain('/v1/models'); await plain('/v1/models'); }`)
			done.wantOutcomes(t, 6, "ok")
			fresh := 0
			for _, row := range done.rows {
				if !*row.ConnReused {
					fresh++
				}
			}
			if connections.count() != want || fresh != want {
				t.Errorf("want %d connections, the server saw %d, the rows say %d", want, connections.count(), fresh)
			}
		})
	}
}

func answerModels(w http.ResponseWriter, _ *http.Request) {
	_, _ = io.WriteString(w, `{"object":"list","data":[]}`)
}

// k6's own options for names, addresses and TLS act on our calls, and a failed exchange has k6's tags.
func TestOptionsOfK6ActOnOurCalls(t *testing.T) {
	server, caFile := overTLS(t, http.HandlerFunc(answerModels), true)
	_, port, err := net.SplitHostPort(server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	ca := "WEIGHBRIDGE_CA_FILE=" + caFile
	for _, c := range []struct {
		name, root, options string
		env                 []string
		outcome, errorType  string
		errorCode, tls      string
	}{
		{"hosts", "https://example.com", `hosts: { 'example.com': '127.0.0.1:` + port + `' }`, []string{ca}, "ok", "none", "", "tls1.3"},
		{"dns", "https://localhost:" + port, `dns: { policy: 'onlyIPv4' }, insecureSkipTLSVerify: true`, nil, "ok", "none", "", "tls1.3"},
		{"insecureSkipTLSVerify", server.URL, `insecureSkipTLSVerify: true`, nil, "ok", "none", "", "tls1.3"},
		{"tlsVersion", server.URL, `insecureSkipTLSVerify: true, tlsVersion: 'tls1.2'`, nil, "ok", "none", "", "tls1.2"},
		{"unknown authority", server.URL, ``, nil, "net_error", "tls", "1310", ""},
		{"wrong name", "https://elsewhere.test", `hosts: { 'elsewhere.test': '127.0.0.1:` + port + `' }`, []string{ca}, "net_error", "tls", "1311", ""},
		{"blacklistIPs", server.URL, `blacklistIPs: ['127.0.0.0/8']`, []string{ca}, "net_error", "_OTHER", "1110", ""},
		{"blockHostnames", "https://example.com", `blockHostnames: ['*.com'], hosts: { 'example.com': '127.0.0.1:` + port + `' }`, []string{ca}, "net_error", "_OTHER", "1111", ""},
		{"no such host", "https://nowhere.invalid", ``, nil, "net_error", "dns", "", ""},
		{"refused", "http://127.0.0.1:1", ``, nil, "net_error", "connect_refused", "1212", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			done := script(t, c.root, `
export const options = { vus: 1, iterations: 1, `+c.options+` };
export default () => plain('/v1/models');`, c.env...)
			done.wantOutcomes(t, 1, c.outcome)
			if found := done.rows[0].ErrorType; found != c.errorType {
				t.Errorf("error_type %s: %s", found, message(done.rows[0]))
			}
			requests, failed := done.named("http_reqs"), done.named("http_req_failed")
			if len(requests) != 1 || len(failed) != 1 || len(done.named("http_req_duration")) != 1 {
				t.Fatalf("%d http_reqs, %d http_req_failed", len(requests), len(failed))
			}
			tags := requests[0].Data.Tags
			if bad := c.outcome != "ok"; (failed[0].Data.Value == 1) != bad || (tags["expected_response"] == "false") != bad {
				t.Errorf("http_req_failed %v, tags %v", failed[0].Data.Value, tags)
			}
			if c.errorCode != "" && tags["error_code"] != c.errorCode || c.tls != tags["tls_version"] {
				t.Errorf("tags: %v", tags)
			}
			if c.outcome == "ok" && (sum(done.named("data_received")) < 100 || sum(done.named("data_sent")) < 100) {
				t.Errorf("data_received %v, data_sent %v", sum(done.named("data_received")), sum(done.named("data_sent")))
			}
		})
	}
}

func sum(samples []sample) (total float64) {
	for _, s := range samples {
		total += s.Data.Value
	}
	return total
}

func TestABodyThatBreaksOffIsAFailedRequest(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "1000")
		_, _ = io.WriteString(w, `{"object":`)
	}))
	t.Cleanup(server.Close)
	done := script(t, server.URL, `
export const options = { vus: 1, iterations: 1 };
export default () => plain('/v1/models');`)
	failed := done.named("http_req_failed")
	if len(failed) != 1 || failed[0].Data.Value != 1 || failed[0].Data.Tags["status"] != "200" || failed[0].Data.Tags["error_code"] != "1000" {
		t.Errorf("row %s; %+v", done.rows[0].Outcome, failed)
	}
}

// connectProxy is a real CONNECT proxy, of which the tunnel is led to one address whatever its name.
type connectProxy struct {
	*httptest.Server
	mu       sync.Mutex
	asked    []string
	agents   []string
	password []string
}

func newConnectProxy(t *testing.T, to string) *connectProxy {
	p := &connectProxy{}
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		p.asked = append(p.asked, r.Method+" "+r.Host)
		p.password = append(p.password, r.Header.Get("Proxy-Authorization"))
		p.mu.Unlock()
		upstream, err := net.Dial("tcp", to)
		if err != nil {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		defer func() { _ = upstream.Close() }()
		w.WriteHeader(http.StatusOK)
		client, buffered, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer func() { _ = client.Close() }()
		go func() { _, _ = io.Copy(upstream, buffered); _ = upstream.Close() }()
		_, _ = io.Copy(client, upstream)
	}))
	t.Cleanup(p.Close)
	return p
}

func TestProxiesAndCAFilesAreHonoured(t *testing.T) {
	server, caFile := overTLS(t, http.HandlerFunc(answerModels), true)
	proxy := newConnectProxy(t, server.Listener.Addr().String())
	address, _ := url.Parse(proxy.URL)
	address.User = url.UserPassword("user", "proxy-secret")
	const call = `
export const options = { vus: 1, iterations: 2, hosts: { 'example.com': '127.0.0.1:9' } };
export default () => plain('/v1/models');`
	done := script(t, "https://example.com", call, "HTTPS_PROXY="+address.String(), "WEIGHBRIDGE_CA_FILE="+caFile, "K6_HTTP_DEBUG=full")
	done.wantOutcomes(t, 2, "ok")
	if len(proxy.asked) != 1 || proxy.asked[0] != "CONNECT example.com:443" || proxy.password[0] != "Basic dXNlcjpwcm94eS1zZWNyZXQ=" {
		t.Errorf("asked %v, %v", proxy.asked, proxy.password)
	}
	if *done.rows[0].Proto != "HTTP/2.0" {
		t.Errorf("proto %s", *done.rows[0].Proto)
	}
	for _, secret := range []string{"proxy-secret", "dXNlcjpwcm94eS1zZWNyZXQ"} {
		if strings.Contains(done.output+done.text, secret) {
			t.Errorf("%s stands in the output or the ledger", secret)
		}
	}
	around := script(t, "https://example.com", call, "HTTPS_PROXY="+address.String(), "no_proxy=.org,example.com", "WEIGHBRIDGE_CA_FILE="+caFile)
	if len(proxy.asked) != 1 {
		t.Errorf("NO_PROXY was not obeyed: %v", proxy.asked)
	}
	around.wantOutcomes(t, 2, "net_error") // nobody listens where the name leads
}

func TestHTTPDebugShowsExchangesAndNoSecret(t *testing.T) {
	g := newGateway(t)
	const source = `
export const options = { vus: 1, iterations: 1 };
export default async function () {
  await chat();
  await c.call({ call_id: id(), logical_id: 'l', kind: 'messages', model: 'm', path: '/v1/messages', auth: 'x-api-key', headers: { 'anthropic-version': '2023-06-01' }, body: body.replace('true', 'false') });
}`
	for name, env := range map[string]string{
		"plan": planWith(t, `{"debug":"full","http2":true,"reuse":"vu"}`), "flag": "K6_HTTP_DEBUG=full",
	} {
		t.Run(name, func(t *testing.T) {
			done := script(t, g.URL, source, env)
			for _, want := range []string{
				"POST /v1/chat/completions", "Authorization: [hidden]", "X-Api-Key: [hidden]", "User-Agent: weighbridge/",
				`[18 characters]`, `\"stop_reason\":\"end_turn\"`, "text/event-stream",
			} {
				if !strings.Contains(done.output, want) {
					t.Errorf("want %s in:\n%s", want, done.output)
				}
			}
			for _, never := range []string{apiKey, "wb0123456789abcdef", "data: {"} {
				if strings.Contains(done.output, never) {
					t.Errorf("%s in:\n%s", never, done.output)
				}
			}
		})
	}
}

func TestTheRPSLimitHoldsForOurCalls(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(answerModels))
	t.Cleanup(server.Close)
	done := script(t, server.URL, `
export const options = { vus: 5, iterations: 11, rps: 20 };
export default () => plain('/v1/models');`)
	done.wantOutcomes(t, 11, "ok")
	first, last := done.rows[0].StartedAt, done.rows[0].StartedAt
	for _, row := range done.rows {
		first, last = min(first, row.StartedAt), max(last, row.StartedAt)
	}
	if took := instant(t, last).Sub(instant(t, first)).Milliseconds(); took < 450 {
		t.Errorf("11 calls at 20 a second started within %d ms", took)
	}
}

// The target repeats what it was sent: nothing of it may stand in what we write.
func TestHeadersOfThePlanStandForTheKeyAndAreMasked(t *testing.T) {
	g := newGateway(t)
	var mu sync.Mutex
	var seen []http.Header
	g.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		seen = append(seen, r.Header.Clone())
		mu.Unlock()
		http.Error(w, fmt.Sprintf(`{"error":{"message":"who is %s?"}}`, r.Header.Get("Authorization")), http.StatusForbidden)
	})
	headers := map[string]any{"authorization": "env:WB_E2E_TOKEN", "x-tenant": "blue"}
	command, dir, output := start(t, g, setup{
		drainMS: 20000, scenarios: []planScenario{textScenario("chat", "chat", 2_000, 1000)},
		target: map[string]any{"headers": headers}, args: []string{"--http-debug"},
		env: []string{"WEIGHBRIDGE_API_KEY=", "WB_E2E_TOKEN=Bearer planted-9f8e7d6c5b4a"},
	})
	if err := command.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	b := read(t, dir)
	if len(seen) != 2 || len(b.paid) != 2 {
		t.Fatalf("want 2 calls, found %d and %d rows\n%s", len(seen), len(b.paid), output)
	}
	for _, header := range seen {
		if header.Get("Authorization") != "Bearer planted-9f8e7d6c5b4a" || header.Get("X-Tenant") != "blue" {
			t.Errorf("sent %v", header)
		}
	}
	if strings.Contains(b.text, "planted") || strings.Contains(output.String(), "planted") || !strings.Contains(b.text, "who is Bearer [key]?") {
		t.Errorf("the token stands in what was written, or the message does not:\n%s\n%s", b.text, output)
	}
}

// With a bill [DONE] is asked for, but where the configuration says otherwise.
func TestWhatEndsAStreamHangsOnTheTarget(t *testing.T) {
	for want, target := range map[string]map[string]any{
		"truncated": {}, "ok": {"bill": "none"}, "ok ": {"stream_end": "finish_reason"}, "truncated ": {"bill": "none", "stream_end": "done"},
	} {
		g := newGateway(t)
		g.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, `data: {"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":"stop"}]}`+"\n\n")
		})
		command, dir, output := start(t, g, setup{drainMS: 20000, target: target, scenarios: []planScenario{
			withText(textScenario("chat", "chat", 1_000, 1000), map[string]any{"stream_share": 1}),
		}})
		if err := command.Wait(); err != nil {
			t.Fatalf("%v\n%s", err, output)
		}
		b := read(t, dir)
		for _, row := range b.paid {
			if row.Outcome != strings.TrimSpace(want) {
				t.Errorf("%v: %s", target, row.Outcome)
			}
		}
		if told := strings.Contains(b.text, `"learnt":["no_done"]`); told != strings.HasPrefix(want, "ok") || len(b.paid) != 1 {
			t.Errorf("%v: %d rows, told %t", target, len(b.paid), told)
		}
	}
}

func TestCallsGoUnderTheBaseOfAnotherVersionWithoutAKey(t *testing.T) {
	g := newGateway(t)
	good := g.Config.Handler
	var mu sync.Mutex
	seen := map[string]int{}
	g.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		seen[r.URL.Path+" "+r.Header.Get("Authorization")]++
		mu.Unlock()
		r.URL.Path = "/v1" + strings.TrimPrefix(r.URL.Path, "/v1beta/openai")
		good.ServeHTTP(w, r)
	})
	base := g.URL + "/v1beta/openai"
	command, dir, output := start(t, g, setup{
		drainMS: 20000, scenarios: []planScenario{textScenario("chat", "chat", 2_000, 1000)},
		target: map[string]any{"root": base, "v1": base, "bill": "none"}, env: []string{"WEIGHBRIDGE_API_KEY="},
	})
	if err := command.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	if len(seen) != 1 || seen["/v1beta/openai/chat/completions "] != 2 || len(read(t, dir).paid) != 2 {
		t.Errorf("%v\n%s", seen, output)
	}
}
