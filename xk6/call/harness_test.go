package call

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"weighbridge.dev/xk6/ledger"
	"weighbridge.dev/xk6/load"
	"weighbridge.dev/xk6/outcome"
	"weighbridge.dev/xk6/secret"
	"weighbridge.dev/xk6/stamp"
)

const key = "sk-test-0123456789abcdef"

type bench struct {
	caller *Caller
	server *httptest.Server
	dir    string
}

// newBench serves a handler and opens a ledger; planText is plan.json, or empty for none.
func newBench(t testing.TB, planText string, handler http.HandlerFunc) *bench {
	t.Helper()
	return newBenchOf(t, key, planText, handler)
}

func newBenchOf(t testing.TB, key, planText string, handler http.HandlerFunc) *bench {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // a server sees that its client left only when the body is read
		handler(w, r)
	}))
	t.Cleanup(server.Close)
	dir := t.TempDir()
	settings := load.Settings{Keys: secret.NewKeys([]string{key})}
	if planText != "" {
		settings.PlanPath = filepath.Join(dir, "plan.json")
		if err := os.WriteFile(settings.PlanPath, []byte(planText), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run, err := load.New(settings)
	if err != nil {
		t.Fatal(err)
	}
	if err := run.OpenLedger(dir, nil); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = run.CloseLedger() })
	root, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{DisableCompression: true, DialContext: stamped}
	t.Cleanup(transport.CloseIdleConnections)
	return &bench{
		dir: dir, server: server,
		caller: &Caller{Run: run, Root: root, Transport: transport, Scenario: "s", Timeouts: Timeouts{
			Connect: 5 * time.Second, Headers: 5 * time.Second, FirstToken: 5 * time.Second,
			Idle: 5 * time.Second, Total: 10 * time.Second, Task: 10 * time.Second,
		}},
	}
}

// stamped dials as the module does.
func stamped(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := new(net.Dialer).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return stamp.Wrap(conn, stamp.Counts{}), nil
}

func chatRequest(stream bool) *Request {
	model, prompt := "m", int64(10)
	return &Request{
		CallID: "i0/s/0/1", LogicalID: "s/0", Attempt: 1, Kind: "chat", Method: "POST", Path: "/v1/chat/completions",
		Body: []byte(`{}`), ContentType: "application/json", Auth: Bearer, Model: &model, PromptBytes: &prompt,
		Stream: stream, Header: http.Header{},
	}
}

func kindRequest(kind string, stream bool) *Request {
	req := chatRequest(stream)
	req.Kind = kind
	return req
}

func (b *bench) call(t *testing.T, req *Request) *Result {
	t.Helper()
	result, err := b.caller.Call(context.Background(), req)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// lines reads the ledger as it stands in the file now.
func (b *bench) lines(t *testing.T) (intents []ledger.Intent, rows []ledger.Row, text string) {
	t.Helper()
	if writer, err := b.caller.Run.Ledger(); err == nil {
		_ = writer.Hurry() // rows wait a moment for others
	}
	file, err := os.ReadFile(filepath.Join(b.dir, "i0-0.ndjson"))
	if err != nil {
		t.Fatal(err)
	}
	scanner := bufio.NewScanner(bytes.NewReader(file))
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		var head struct {
			Schema string `json:"schema"`
		}
		if err := json.Unmarshal(scanner.Bytes(), &head); err != nil {
			t.Fatal(err)
		}
		switch head.Schema {
		case ledger.IntentSchema:
			var intent ledger.Intent
			if err := json.Unmarshal(scanner.Bytes(), &intent); err != nil {
				t.Fatal(err)
			}
			intents = append(intents, intent)
		case ledger.RowSchema:
			var row ledger.Row
			if err := json.Unmarshal(scanner.Bytes(), &row); err != nil {
				t.Fatal(err)
			}
			rows = append(rows, row)
		}
	}
	return intents, rows, string(file)
}

// ending is an outcome with its error type.
type ending struct {
	outcome outcome.Outcome
	error   outcome.ErrorType
}

// produced are the endings that calls over a socket came to.
var produced sync.Map

// TestMain asks, when all tests ran, for every ending that the table allows.
func TestMain(m *testing.M) {
	code := m.Run()
	if code == 0 && flag.Lookup("test.run").Value.String() == "" {
		for o, types := range outcome.ErrorTypesOf {
			for _, e := range types {
				if _, seen := produced.Load(ending{o, e}); !seen {
					fmt.Printf("--- FAIL: no test ends in %s/%s\n", o, e)
					code = 1
				}
			}
		}
	}
	os.Exit(code)
}

func wantOutcome(t *testing.T, row ledger.Row, o outcome.Outcome, e outcome.ErrorType) {
	t.Helper()
	if row.Outcome != string(o) || row.ErrorType != string(e) {
		message := "no message"
		if row.ErrorMessage != nil {
			message = *row.ErrorMessage
		}
		t.Fatalf("want %s/%s, found %s/%s (%s)", o, e, row.Outcome, row.ErrorType, message)
	}
	if !outcome.Allowed(o, e) {
		t.Fatalf("the table does not let %s carry %s", o, e)
	}
	produced.Store(ending{o, e}, true)
	if row.Blame != string(outcome.BlameOf[e]) {
		t.Fatalf("want blame %s, found %s", outcome.BlameOf[e], row.Blame)
	}
}

func flush(w http.ResponseWriter, text string) {
	_, _ = io.WriteString(w, text)
	w.(http.Flusher).Flush()
}

func sseHead(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	w.WriteHeader(http.StatusOK)
	w.(http.Flusher).Flush()
}

func delta(text string) string {
	return fmt.Sprintf("data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":%q}}]}\n\n", text)
}

const (
	chatFinish = "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":5,\"completion_tokens\":2}}\n\n"
	chatDone   = "data: [DONE]\n\n"
)
