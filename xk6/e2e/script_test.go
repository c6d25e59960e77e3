package e2e

import (
	"bufio"
	"encoding/json"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"weighbridge.dev/xk6/ledger"
)

// sample is a line of k6's json output.
type sample struct {
	Type   string `json:"type"`
	Metric string `json:"metric"`
	Data   struct {
		Value float64           `json:"value"`
		Tags  map[string]string `json:"tags"`
	} `json:"data"`
}

// outcomeOf what a script of a test did.
type outcomeOf struct {
	rows    []ledger.Row
	samples []sample
	output  string
	text    string // the ledger
}

// prelude gives a script of a test a client c of the target, and bodies.
const prelude = `
import { Client } from 'k6/x/weighbridge';
const ms = 20000;
const c = new Client({ root: __ENV.ROOT, timeouts: { connect_ms: ms, headers_ms: ms, first_token_ms: ms, idle_ms: ms, total_ms: ms, task_ms: ms } });
let n = 0;
const id = () => __VU + '/' + __ITER + '/' + n++;
const body = '{"stream":true,"messages":[{"role":"user","content":"wb0123456789abcdef"}]}';
const chat = () => c.stream({ call_id: id(), logical_id: 'l', kind: 'chat', model: 'm', path: '/v1/chat/completions', body });
const plain = (path, more) => c.call({ call_id: id(), logical_id: 'l', kind: 'read', path, ...more });
`

// script runs k6 on a script of the test's own, without a plan.
func script(t *testing.T, root, source string, env ...string) outcomeOf {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "script.js")
	if err := os.WriteFile(path, []byte(prelude+source), 0o600); err != nil {
		t.Fatal(err)
	}
	samples := filepath.Join(dir, "samples.json")
	command := exec.Command(binary(t), "run", "--quiet", "--no-usage-report", "--summary-mode=disabled",
		"--out", "weighbridge="+dir, "--out", "json="+samples, path)
	command.Env = append(quietEnvironment(), append([]string{"ROOT=" + root, "WEIGHBRIDGE_API_KEY=" + apiKey}, env...)...)
	output, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	done := outcomeOf{output: string(output)}
	text, err := os.ReadFile(filepath.Join(dir, "i0-0.ndjson"))
	if err != nil {
		t.Fatal(err)
	}
	done.text = string(text)
	for line := range strings.Lines(done.text) {
		if strings.Contains(line, `"schema":"`+ledger.RowSchema) {
			var row ledger.Row
			strict(t, []byte(line), &row)
			done.rows = append(done.rows, row)
		}
	}
	file, err := os.Open(samples)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	for scanner := bufio.NewScanner(file); scanner.Scan(); {
		var s sample
		if err := json.Unmarshal(scanner.Bytes(), &s); err != nil {
			t.Fatal(err)
		}
		if s.Type == "Point" {
			done.samples = append(done.samples, s)
		}
	}
	return done
}

// quietEnvironment is the environment without what the tests set themselves.
func quietEnvironment() []string {
	return slices.DeleteFunc(os.Environ(), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return slices.Contains([]string{"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "WEIGHBRIDGE_CA_FILE",
			"NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"}, strings.ToUpper(name))
	})
}

// named are the samples of a metric.
func (o outcomeOf) named(metric string) []sample {
	return slices.DeleteFunc(slices.Clone(o.samples), func(s sample) bool { return s.Metric != metric })
}

func (o outcomeOf) wantOutcomes(t *testing.T, n int, outcome string) {
	t.Helper()
	if len(o.rows) != n {
		t.Errorf("want %d rows, found %d\n%s", n, len(o.rows), o.output)
	}
	for _, row := range o.rows {
		if row.Outcome != outcome {
			t.Errorf("%s: want %s, found %s (%s) %s", row.CallID, outcome, row.Outcome, row.ErrorType, message(row))
		}
	}
}

func message(row ledger.Row) string {
	if row.ErrorMessage == nil {
		return ""
	}
	return *row.ErrorMessage
}

// overTLS serves a target over TLS, with HTTP/2 where it is wanted, and gives the file of its certificate.
func overTLS(t *testing.T, handler http.Handler, http2 bool) (server *httptest.Server, caFile string) {
	t.Helper()
	server = httptest.NewUnstartedServer(handler)
	server.EnableHTTP2 = http2
	server.StartTLS()
	t.Cleanup(server.Close)
	caFile = filepath.Join(t.TempDir(), "ca.pem")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	if err := os.WriteFile(caFile, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return server, caFile
}

func instant(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}
