// Package e2e runs the built k6 with the real scenarios against a small target.
package e2e

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"weighbridge.dev/xk6/ledger"
)

const apiKey = "sk-e2e-0123456789abcdef"

var build struct {
	once sync.Once
	path string
	err  error
	out  []byte
}

// binary builds k6 once for all tests of the package, within the sources, of which copies are tested side by side.
func binary(t *testing.T) string {
	build.once.Do(func() {
		build.path, build.err = filepath.Abs("../../.cache/k6-e2e/k6")
		if build.err != nil {
			return
		}
		// Without what only a debugger reads, k6 is linked in half the time.
		command := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", build.path, "../cmd/k6")
		command.Env = append(os.Environ(), "CGO_ENABLED=0")
		build.out, build.err = command.CombinedOutput()
	})
	if build.err != nil {
		t.Fatalf("go build: %v\n%s", build.err, build.out)
	}
	return build.path
}

type planScenario struct {
	Name        string         `json:"name"`
	Kind        string         `json:"kind"`
	Model       string         `json:"model"`
	Arrival     map[string]any `json:"arrival"`
	MaxInFlight int            `json:"max_in_flight"`
	Text        any            `json:"text"`
	Image       any            `json:"image"`
	Video       any            `json:"video"`
	Abort       any            `json:"abort"`
	Body        string         `json:"body,omitempty"`
}

func constant(millirate, ms int) map[string]any {
	return map[string]any{
		"stages":    []any{map[string]any{"duration_ms": ms, "from_millirate": millirate, "to_millirate": millirate}},
		"max_calls": nil, "process": "even", "burstiness": 1, "concurrency": nil, "trace": nil,
	}
}

func textScenario(name, kind string, millirate, ms int) planScenario {
	return planScenario{
		Name: name, Kind: kind, Model: "m/" + kind + ":a@b,c=d", Arrival: constant(millirate, ms), MaxInFlight: 20,
		Text: map[string]any{
			"stream_share": 0.5, "prompt_bytes": 200, "max_tokens": 64, "cached_share": 0,
			"prompts": nil, "session": nil, "watermark": nil,
		},
	}
}

func imageScenario(name, kind, format string, ms int) planScenario {
	return planScenario{
		Name: name, Kind: kind, Model: "img", Arrival: constant(2000, ms), MaxInFlight: 20,
		Image: map[string]any{"size": "1024x1024", "quality": "low", "response_format": format, "multipart_share": 0.5},
	}
}

type setup struct {
	scenarios []planScenario
	cap       any            // decimal text or nil
	parts     map[string]any // by_scenario and by_model
	bounds    []any
	env       []string
	stdin     *os.File
	printsTo  *os.File // in place of a buffer
	drainMS   int
	script    string
	workload  map[string]any    // in place of parts of the workload
	limits    map[string]any    // in place of parts of the limits
	files     map[string]string // beside the plan
	args      []string          // of k6
	target    map[string]any    // beside the parts of the target
}

// start runs k6 on a plan and gives the folder of its ledger.
func start(t *testing.T, g *gateway, s setup) (command *exec.Cmd, dir string, output *bytes.Buffer) {
	t.Helper()
	dir = t.TempDir()
	bounds := s.bounds
	if bounds == nil {
		bounds = []any{}
	}
	capped := map[string]any{
		"max_spend_usd": s.cap, "by_scenario": map[string]any{}, "by_model": map[string]any{}, "bounds": bounds,
	}
	maps.Copy(capped, s.parts)
	workload := map[string]any{
		"seed": 7, "duration_ms": 2000, "drain_ms": s.drainMS, "scenarios": s.scenarios, "objectives": []any{},
		"warm_up_ms": 0, "cool_down_ms": 0, "calls_per_vu": 1,
		"retry": map[string]any{"max_attempts": 1, "first_wait_ms": 10, "factor": 2, "max_wait_ms": 100, "jitter": 0},
		"http": map[string]any{
			"rps": nil, "debug": "off", "http2": true, "reuse": "vu", "hosts": map[string]any{},
			"dns":                      map[string]any{"ttl": "5m", "select": "random", "policy": "preferIPv4"},
			"insecure_skip_tls_verify": false, "tls_min": nil,
		},
		"timeouts": map[string]any{"connect_ms": 5000, "headers_ms": 20000, "first_token_ms": 20000, "idle_ms": 20000, "total_ms": 60000, "task_ms": 60000},
	}
	maps.Copy(workload, s.workload)
	target := map[string]any{"name": "t", "root": g.URL, "v1": g.URL + "/v1", "api": g.URL + "/api", "embedded": true, "key": "exclusive"}
	maps.Copy(target, s.target)
	limits := map[string]any{
		"max_in_flight": nil, "max_in_flight_by_model": map[string]any{}, "keep_credit_share": nil, "stop": nil,
	}
	maps.Copy(limits, s.limits)
	text, err := json.Marshal(map[string]any{
		"schema": "weighbridge.plan/1", "run_id": "run-e2e", "created_at": "2026-01-01T00:00:00.000Z",
		"plan_hash": "abc", "nonce": "n1",
		"target": target,
		"cap":    capped,
		"limits": limits, "workload": workload,
	})
	if err != nil {
		t.Fatal(err)
	}
	planPath := filepath.Join(dir, "plan.json")
	if err := os.WriteFile(planPath, text, 0o600); err != nil {
		t.Fatal(err)
	}
	script := s.script
	if script == "" {
		script = "mixed.ts"
	}
	for name, content := range s.files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	args := append([]string{
		"run", "--quiet", "--no-usage-report", "--summary-mode=disabled", "--verbose",
		"--out", "weighbridge=" + filepath.Join(dir, "calls"),
	}, s.args...)
	if !filepath.IsAbs(script) {
		script = filepath.Join("..", "..", "scenarios", script)
	}
	command = exec.Command(binary(t), append(args, script)...)
	command.Env = append(append(os.Environ(), "WEIGHBRIDGE_PLAN="+planPath, "WEIGHBRIDGE_API_KEY="+apiKey), s.env...)
	if s.stdin != nil {
		command.Stdin = s.stdin
	}
	output = &bytes.Buffer{}
	command.Stdout, command.Stderr = output, output
	if s.printsTo != nil {
		command.Stdout, command.Stderr = s.printsTo, s.printsTo
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = command.Process.Kill() })
	return command, dir, output
}

// book is a ledger read back.
type book struct {
	text    string
	header  ledger.Header
	intents map[string]ledger.Intent
	paid    map[string]ledger.Row
	free    []ledger.Row
	states  []ledger.State
}

// nameOf is the only ledger file, which is named after the segment where there is one.
func nameOf(dir string) string {
	files, _ := filepath.Glob(filepath.Join(dir, "calls", "*.ndjson"))
	if len(files) != 1 {
		return fmt.Sprintf("one of %d files", len(files))
	}
	return filepath.Base(files[0])
}

func read(t *testing.T, dir string) book {
	t.Helper()
	b := book{intents: map[string]ledger.Intent{}, paid: map[string]ledger.Row{}}
	file, err := os.ReadFile(filepath.Join(dir, "calls", nameOf(dir)))
	if err != nil {
		t.Fatal(err)
	}
	b.text = string(file)
	scanner := bufio.NewScanner(bytes.NewReader(file))
	scanner.Buffer(nil, 1<<20)
	for n := 0; scanner.Scan(); n++ {
		var kind struct {
			Schema string `json:"schema"`
		}
		line := scanner.Bytes()
		if err := json.Unmarshal(line, &kind); err != nil {
			t.Fatalf("line %d: %v: %s", n, err, line)
		}
		if (n == 0) != (kind.Schema == ledger.HeaderSchema) {
			t.Fatalf("line %d is a %s", n, kind.Schema)
		}
		switch kind.Schema {
		case ledger.HeaderSchema:
			strict(t, line, &b.header)
		case ledger.IntentSchema:
			var intent ledger.Intent
			strict(t, line, &intent)
			if _, twice := b.intents[intent.CallID]; twice {
				t.Errorf("two intents of %s", intent.CallID)
			}
			b.intents[intent.CallID] = intent
		case ledger.StateSchema:
			var state ledger.State
			strict(t, line, &state)
			b.states = append(b.states, state)
		case ledger.RowSchema:
			var row ledger.Row
			strict(t, line, &row)
			switch row.Kind {
			case "poll", "result", "download", "read":
				b.free = append(b.free, row)
			default:
				if _, twice := b.paid[row.CallID]; twice {
					t.Errorf("two rows of %s", row.CallID)
				}
				b.paid[row.CallID] = row
			}
		}
	}
	return b
}

func strict(t *testing.T, line []byte, into any) {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		t.Fatalf("%v: %s", err, line)
	}
}

func (b book) last(t *testing.T) ledger.State {
	t.Helper()
	if len(b.states) == 0 || !b.states[len(b.states)-1].Final {
		t.Fatalf("the ledger has no final state line: %v", b.states)
	}
	return b.states[len(b.states)-1]
}

func (b book) scenario(t *testing.T, name string) ledger.ScenarioState {
	t.Helper()
	for _, s := range b.last(t).Scenarios {
		if s.Scenario == name {
			return s
		}
	}
	t.Fatalf("no state of scenario %s", name)
	return ledger.ScenarioState{}
}

func TestMixedTrafficIsAccountedForCallByCall(t *testing.T) {
	g := newGateway(t)
	command, dir, output := start(t, g, setup{drainMS: 20000, scenarios: []planScenario{
		textScenario("chat", "chat", 10_000, 2000), textScenario("resp", "responses", 10_000, 2000),
		textScenario("msg", "messages", 10_000, 2000), imageScenario("img", "image", "url", 2000),
		imageScenario("edit", "image_edit", "b64_json", 2000), imageScenario("job", "image_job", "url", 2000),
		imageScenario("editjob", "image_edit_job", "b64_json", 2000),
		{Name: "vid", Kind: "video", Model: "v", Arrival: constant(1000, 2000), MaxInFlight: 5, Video: map[string]any{"seconds": 4, "size": "1280x720"}},
	}})
	if err := command.Wait(); err != nil {
		t.Fatalf("k6: %v\n%s", err, output)
	}
	b := read(t, dir)
	for _, problem := range g.problems {
		t.Error(problem)
	}
	planned := map[string]int64{"chat": 20, "resp": 20, "msg": 20, "img": 4, "edit": 4, "job": 4, "editjob": 4, "vid": 2}
	attempts := 0
	for name, want := range planned {
		s := b.scenario(t, name)
		if s.Planned != want || s.Started != want || s.Dropped != 0 || s.Held != 0 || s.InFlight != 0 {
			t.Errorf("%s: want %d planned and started, nothing else: %+v", name, want, s)
		}
		attempts += int(want)
	}
	attempts += 4 // the edit jobs fall back to a second attempt
	received := g.received()
	if len(b.intents) != attempts || len(b.paid) != attempts || len(received) != attempts {
		t.Fatalf("want %d intents, rows and requests, found %d, %d, %d\n%s", attempts, len(b.intents), len(b.paid), len(received), output)
	}
	reused := 0
	for id, row := range b.paid {
		if row.ConnReused != nil && *row.ConnReused {
			reused++
		}
		if _, known := b.intents[id]; !known {
			t.Errorf("row %s has no intent", id)
		}
		want := "ok"
		if row.Kind == "image_edit_job" {
			want = "http_error"
		}
		if row.Outcome != want {
			t.Errorf("%s: want %s, found %s (%s) %v", id, want, row.Outcome, row.ErrorType, row.ErrorMessage)
		}
		if row.RequestID == nil || !strings.HasPrefix(*row.RequestID, "req-") {
			t.Errorf("%s: no request id", id)
		}
		if row.Attempt == 1 && (row.PlannedAt == nil || row.ScheduleLagMS == nil || *row.ScheduleLagMS < 0) {
			t.Errorf("%s: planned_at and a lag of 0 or more expected: %v %v", id, row.PlannedAt, row.ScheduleLagMS)
		}
		if row.Stream && (row.TTFTMS == nil || *row.TTFTMS <= 0 || row.EndMS < *row.TTFTMS || row.ITL == nil || row.Usage == nil) {
			t.Errorf("%s: times or usage of a stream are missing: %+v", id, row)
		}
	}
	if reused < attempts/2 {
		t.Errorf("%d of %d calls reused a connection", reused, attempts)
	}
	final := b.last(t)
	if final.Halted != nil || final.RowsLost != 0 || final.ReservedUSD != nil {
		t.Errorf("final state: %+v", final)
	}
	for _, secret := range []string{apiKey, "not-for-the-ledger"} {
		if strings.Contains(b.text, secret) || strings.Contains(output.String(), secret) {
			t.Errorf("%s stands in the ledger or in k6's output", secret)
		}
	}
	for _, header := range g.headers {
		if agent := header.Get("User-Agent"); agent != "weighbridge/0.1.0 run/run-e2e" {
			t.Fatalf("User-Agent: %s", agent)
		}
	}
	if b.header.RunID != "run-e2e" || b.header.KeyFP == nil || b.header.Versions.K6 != "v2.2.0" {
		t.Errorf("header: %+v", b.header)
	}
}

func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for !is() {
		if time.Now().After(deadline) {
			t.Fatalf("never: %s", what)
		}
		time.Sleep(5 * time.Millisecond)
	}
}
