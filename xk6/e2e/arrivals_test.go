package e2e

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"weighbridge.dev/xk6/ledger"
)

func random(process string, burstiness float64, millirate, ms int) map[string]any {
	arrival := constant(millirate, ms)
	arrival["process"], arrival["burstiness"] = process, burstiness
	return arrival
}

// plannedTimes are those of the rows by the number of their start.
func plannedTimes(t *testing.T, b book) map[int64]time.Time {
	t.Helper()
	times := map[int64]time.Time{}
	for id, row := range b.paid {
		if row.PlannedAt == nil || row.Iteration == nil {
			t.Fatalf("%s has no planned time", id)
		}
		at, err := time.Parse(time.RFC3339, *row.PlannedAt)
		if err != nil {
			t.Fatal(err)
		}
		times[*row.Iteration] = at
	}
	return times
}

func TestTheInstancesOfARandomProcessMakeEachStartOnceAtItsTime(t *testing.T) {
	g := newGateway(t)
	scenario := textScenario("chat", "chat", 0, 0)
	scenario.Arrival, scenario.MaxInFlight = random("gamma", 0.5, 60_000, 1000), 61
	instance := func(args ...string) map[int64]time.Time {
		command, dir, output := start(t, g, setup{
			drainMS: 20000, cap: "1", bounds: []any{pricedAt(scenario, false)}, scenarios: []planScenario{scenario}, args: args,
		})
		if err := command.Wait(); err != nil {
			t.Fatalf("%v\n%s", err, output)
		}
		b := read(t, dir)
		if s := b.scenario(t, "chat"); s.Dropped+s.Held != 0 || s.Started != int64(len(b.paid)) {
			t.Errorf("state %+v, %d rows", s, len(b.paid))
		}
		return plannedTimes(t, b)
	}
	whole := instance()
	seen := map[int64]bool{}
	for _, segment := range []string{"0:1/2", "1/2:1"} {
		part := instance("--execution-segment", segment, "--execution-segment-sequence", "0,1/2,1")
		first := int64(-1)
		for n := range part {
			if first < 0 || n < first {
				first = n
			}
		}
		for n, at := range part {
			if seen[n] {
				t.Errorf("start %d is made twice", n)
			}
			seen[n] = true
			diff := at.Sub(part[first]) - whole[n].Sub(whole[first])
			if diff < -2*time.Millisecond || diff > 2*time.Millisecond {
				t.Errorf("segment %s: start %d is planned %s beside its time", segment, n, diff)
			}
		}
		if len(part) < 20 {
			t.Errorf("segment %s makes %d of 60 starts", segment, len(part))
		}
	}
	if len(whole) != 60 || len(seen) != 60 {
		t.Errorf("want 60 starts, found %d in one and %d in both instances", len(whole), len(seen))
	}
}

func TestAClosedLoopKeepsItsConcurrency(t *testing.T) {
	for _, perVU := range []int{1, 2} {
		g := newGateway(t)
		var now, most atomic.Int64
		g.mu.Lock()
		g.beforePaid = func(string, string) {
			under := now.Add(1)
			for seen := most.Load(); under > seen && !most.CompareAndSwap(seen, under); seen = most.Load() {
			}
			time.Sleep(5 * time.Millisecond) // long enough that the calls of a loop meet
			now.Add(-1)
		}
		g.mu.Unlock()
		scenario := textScenario("chat", "chat", 0, 60_000)
		scenario.Arrival["concurrency"], scenario.Arrival["max_calls"] = 3, 40
		command, dir, output := start(t, g, setup{
			drainMS: 20000, scenarios: []planScenario{scenario}, workload: map[string]any{"calls_per_vu": perVU, "duration_ms": 60_000},
		})
		if err := command.Wait(); err != nil {
			t.Fatalf("%v\n%s", err, output)
		}
		b := read(t, dir)
		if s := b.scenario(t, "chat"); s.Planned != 40 || s.Started != 40 || s.OK != 40 || s.Measured.Started != 40 {
			t.Errorf("%d calls a VU: %+v", perVU, s)
		}
		if most.Load() < 2 || most.Load() > 3 {
			t.Errorf("%d calls a VU: %d calls at once", perVU, most.Load())
		}
		numbers := map[int64]bool{}
		for id, row := range b.paid {
			numbers[*row.Iteration] = true
			if row.PlannedAt != nil || row.ScheduleLagMS != nil {
				t.Errorf("%s has a planned time", id)
			}
		}
		if len(numbers) != 40 || !numbers[0] || !numbers[39] {
			t.Errorf("%d calls a VU: %d numbers", perVU, len(numbers))
		}
	}
}

func TestAPoolOfFewVirtualUsersMakesTheStartsAtTheirTimes(t *testing.T) {
	g := newGateway(t)
	scenario := textScenario("chat", "chat", 40_000, 1000)
	command, dir, output := start(t, g, setup{
		drainMS: 20000, scenarios: []planScenario{scenario},
		workload: map[string]any{"calls_per_vu": 8, "warm_up_ms": 250, "cool_down_ms": 500, "duration_ms": 1000},
	})
	if err := command.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	b := read(t, dir)
	s := b.scenario(t, "chat")
	if s.Planned != 40 || s.Started != 40 || s.OK != 40 || s.InFlight != 0 {
		t.Errorf("state: %+v\n%s", s, output)
	}
	if want := (ledger.PhaseCounts{Planned: 10, Started: 10}); s.Measured != want {
		t.Errorf("measured: %+v", s.Measured)
	}
	planned := plannedTimes(t, b)
	for id, row := range b.paid {
		n := *row.Iteration
		want := time.Duration(n) * 25 * time.Millisecond
		if diff := planned[n].Sub(planned[0]) - want; diff < -time.Millisecond || diff > time.Millisecond {
			t.Errorf("%s is planned %s beside its time", id, diff)
		}
		phase := "measured"
		if n < 10 {
			phase = "warm_up"
		} else if n >= 20 {
			phase = "cool_down"
		}
		if row.Phase != phase || row.CallID != fmt.Sprintf("i0/chat/%d/1", n) {
			t.Errorf("%s: start %d, phase %s, want %s", id, n, row.Phase, phase)
		}
	}
}

func TestAPoolIsDrainedAndThenCut(t *testing.T) {
	g, _, _ := held(t)
	command, dir, output := start(t, g, setup{
		drainMS: 300, scenarios: []planScenario{textScenario("chat", "chat", 5_000, 1000)}, workload: map[string]any{"calls_per_vu": 4},
	})
	if err := command.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	b := read(t, dir)
	if len(b.paid) != 5 || len(b.intents) != 5 {
		t.Fatalf("want 5 rows and intents, found %d and %d\n%s", len(b.paid), len(b.intents), output)
	}
	for id, row := range b.paid {
		if row.Outcome != "interrupted" {
			t.Errorf("%s: %s", id, row.Outcome)
		}
	}
}

// scriptAround is a script of a user who adds something to the traffic of the plan.
func scriptAround(t *testing.T, addition string) string {
	t.Helper()
	library, err := filepath.Abs(filepath.Join("..", "..", "scenarios", "lib", "traffic.ts"))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "own.js")
	text := fmt.Sprintf("import exec from 'k6/execution';\nimport { traffic } from %q;\nconst script = traffic(null);\n%s\n", library, addition)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// wantSaid holds k6 to the words that src/drive/abort-message.ts reads.
func wantSaid(t *testing.T, output *bytes.Buffer, words string) {
	t.Helper()
	if !strings.Contains(output.String(), words) {
		t.Errorf("want %s\nfound %s", words, output)
	}
}

func TestAScriptThatAbortsEndsTheRunInOrder(t *testing.T) {
	g := newGateway(t)
	command, dir, output := start(t, g, setup{
		drainMS: 20000, scenarios: []planScenario{textScenario("chat", "chat", 60_000, 5_000), textScenario("resp", "responses", 60_000, 5_000)},
		script: scriptAround(t, `export const options = script.options;
export async function run() {
  await script.run();
  if (exec.scenario.name === 'chat' && exec.scenario.iterationInTest === 5) exec.test.abort('enough');
}`),
	})
	if err := command.Wait(); err == nil || command.ProcessState.ExitCode() != 108 {
		t.Errorf("want k6's exit code of test.abort, found %v\n%s", err, output)
	}
	wantSaid(t, output, `level=error msg="test aborted: enough at run (file:///`)
	b := read(t, dir)
	if reason := b.last(t).Halted; reason == nil || *reason != "script_aborted" {
		t.Errorf("halted: %v", reason)
	}
	for _, name := range []string{"chat", "resp"} {
		s := b.scenario(t, name)
		if s.Planned != 300 || s.Held == 0 || s.Planned != s.Started+s.Dropped+s.Held || s.InFlight != 0 {
			t.Errorf("%s: %+v", name, s)
		}
	}
	// A call may be cut between its intent and its first byte.
	if len(b.intents) != len(b.paid) || len(g.received()) > len(b.intents) {
		t.Errorf("%d intents, %d rows, %d received", len(b.intents), len(b.paid), len(g.received()))
	}
}

func TestAThresholdThatAbortsEndsTheRunInOrder(t *testing.T) {
	g := newGateway(t)
	command, dir, output := start(t, g, setup{
		drainMS: 20000, scenarios: []planScenario{textScenario("chat", "chat", 20_000, 60_000)},
		script: scriptAround(t, `export const options = {
  ...script.options, thresholds: { weighbridge_ok: [{ threshold: 'rate<0.5', abortOnFail: true }] },
};
export const run = script.run;`),
	})
	if err := command.Wait(); err == nil || command.ProcessState.ExitCode() != 99 {
		t.Errorf("want k6's exit code of thresholds, found %v\n%s", err, output)
	}
	wantSaid(t, output, `level=error msg="thresholds on metrics 'weighbridge_ok' were crossed; at least one has abortOnFail`)
	b := read(t, dir)
	if reason := b.last(t).Halted; reason == nil || *reason != "script_aborted" {
		t.Errorf("halted: %v", reason)
	}
	s := b.scenario(t, "chat")
	if s.Planned != 1200 || s.Held == 0 || s.Planned != s.Started+s.Dropped+s.Held {
		t.Errorf("%+v", s)
	}
}

func TestStartsOfAPausedModelAreHeldAndThenResume(t *testing.T) {
	answers := newGateway(t)
	var received atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if received.Add(1) > 1 {
			answers.Config.Handler.ServeHTTP(w, r)
			return
		}
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Retry-After", "1")
		http.Error(w, `{"error":{"message":"later (request id: r1)","type":"rate_limit","code":"rate_limit"}}`, http.StatusTooManyRequests)
	}))
	t.Cleanup(server.Close)
	command, dir, output := start(t, &gateway{Server: server}, setup{
		drainMS: 20000, scenarios: []planScenario{textScenario("chat", "chat", 20_000, 2000)},
	})
	if err := command.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	b := read(t, dir)
	s := b.scenario(t, "chat")
	if s.Planned != 40 || s.Held < 5 || s.OK < 5 || s.Dropped != 0 || s.Started+s.Held != 40 || s.Measured.Held != s.Held {
		t.Errorf("%+v", s)
	}
	if b.last(t).Halted != nil {
		t.Error("a pause is no halt")
	}
	if first, last := b.paid["i0/chat/0/1"], b.paid["i0/chat/39/1"]; first.Outcome != "http_error" || last.Outcome != "ok" {
		t.Errorf("first %s, last %s", first.Outcome, last.Outcome)
	}
}

func TestATraceIsReplayed(t *testing.T) {
	g := newGateway(t)
	trace := `{"scenario":"chat","at_us":0,"prompt_bytes":100,"max_tokens":7,"stream":true}
{"scenario":"other","at_us":1,"prompt_bytes":null,"max_tokens":null,"stream":null}
{"scenario":"chat","at_us":150500,"prompt_bytes":300,"max_tokens":9,"stream":false}
{"scenario":"chat","at_us":150500,"prompt_bytes":null,"max_tokens":null,"stream":null}
`
	sum := sha256.Sum256([]byte(trace))
	scenario := textScenario("chat", "chat", 0, 1000)
	scenario.Arrival["trace"] = map[string]any{"file": "trace.ndjson", "sha256": hex.EncodeToString(sum[:]), "calls": 3}
	command, dir, output := start(t, g, setup{
		drainMS: 20000, scenarios: []planScenario{scenario}, files: map[string]string{"trace.ndjson": trace},
	})
	if err := command.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	b := read(t, dir)
	if s := b.scenario(t, "chat"); s.Planned != 3 || s.OK != 3 {
		t.Fatalf("%+v\n%s", s, output)
	}
	planned := plannedTimes(t, b)
	for n, want := range []int64{0, 150, 150} {
		if diff := planned[int64(n)].Sub(planned[0]).Milliseconds() - want; diff < -1 || diff > 1 {
			t.Errorf("start %d is planned %d ms beside its time", n, diff)
		}
	}
	first, second := b.paid["i0/chat/0/1"], b.paid["i0/chat/1/1"]
	if !first.Stream || second.Stream || *first.PromptBytes != 100 || *second.PromptBytes != 300 || *first.MaxTokens != 7 || *second.MaxTokens != 9 {
		t.Errorf("sizes of the trace: %+v, %+v", first, second)
	}
}

func TestCallsOfATraceShareThePrefixThatItsHashIDsName(t *testing.T) {
	g := newGateway(t)
	trace := `{"scenario":"chat","at_us":0,"prompt_bytes":6000,"max_tokens":7,"stream":true,"hash_ids":[1,2,3]}
{"scenario":"chat","at_us":50000,"prompt_bytes":6000,"max_tokens":7,"stream":true,"hash_ids":[1,2,4]}
`
	sum := sha256.Sum256([]byte(trace))
	scenario := textScenario("chat", "chat", 0, 1000)
	scenario.Arrival["trace"] = map[string]any{"file": "trace.ndjson", "sha256": hex.EncodeToString(sum[:]), "calls": 2}
	command, _, output := start(t, g, setup{
		drainMS: 20000, scenarios: []planScenario{scenario}, files: map[string]string{"trace.ndjson": trace},
	})
	if err := command.Wait(); err != nil || len(g.bodies) != 2 {
		t.Fatalf("%v: %d calls\n%s", err, len(g.bodies), output)
	}
	prompts := []string{}
	for _, body := range g.bodies {
		said, _ := json.Marshal(body["messages"])
		prompts = append(prompts, string(said))
	}
	begins := len(`[{"content":"`)
	shared := 0
	for shared < len(prompts[0]) && prompts[0][shared] == prompts[1][shared] {
		shared++
	}
	if shared < begins+2*2560 || shared > begins+2*2560+100 {
		t.Errorf("%d bytes are shared", shared-begins)
	}
}
