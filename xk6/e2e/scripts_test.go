package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// k6 runs a script without a plan.
func k6(t *testing.T, env []string, args ...string) (output string, err error) {
	t.Helper()
	command := exec.Command(binary(t), args...)
	command.Env = append(append(os.Environ(), "WEIGHBRIDGE_LEDGER="+t.TempDir()), env...)
	text, err := command.CombinedOutput()
	return string(text), err
}

func TestTheSharedModulesWorkInsideK6(t *testing.T) {
	output, err := k6(t, []string{"WEIGHBRIDGE_API_KEY=" + apiKey}, "run", "--quiet", "--summary-mode=disabled", "../../scenarios/selftest.ts")
	if err != nil || strings.Contains(output, "FAILED") || strings.Count(output, "ok: ") != 15 {
		t.Errorf("%v\n%s", err, output)
	}
	if strings.Contains(output, apiKey) {
		t.Error("the key stands in the output")
	}
}

func TestAStartIsGreetedByNoWarning(t *testing.T) {
	for _, c := range []struct {
		env  []string
		want bool
	}{{nil, true}, {[]string{"K6_PROMETHEUS_RW_TREND_AS_NATIVE_HISTOGRAM=false"}, false}, {[]string{"K6_FEATURES="}, false}} {
		env := append([]string{"WEIGHBRIDGE_API_KEY=" + apiKey}, c.env...)
		output, err := k6(t, env, "run", "--quiet", "--summary-mode=disabled", "../../scenarios/selftest.ts")
		if err != nil || strings.Contains(output, "level=warning") {
			t.Errorf("%v: %v\n%s", c.env, err, output)
		}
		if found := strings.Contains(output, "feature=native-histograms"); found != c.want {
			t.Errorf("%v: native histograms %t\n%s", c.env, found, output)
		}
	}
}

func TestAScriptOfAKindRunsOnlyItsKind(t *testing.T) {
	g := newGateway(t)
	command, dir, output := start(t, g, setup{drainMS: 5000, script: "responses.ts", scenarios: []planScenario{
		textScenario("chat", "chat", 5_000, 1000), textScenario("resp", "responses", 5_000, 1000),
	}})
	if err := command.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	b := read(t, dir)
	for id, row := range b.paid {
		if row.Kind != "responses" || row.Outcome != "ok" {
			t.Errorf("%s: %s, %s", id, row.Kind, row.Outcome)
		}
	}
	if len(b.paid) != 5 {
		t.Errorf("%d rows", len(b.paid))
	}
}

func TestABundledScriptRunsAsTheSourceDoes(t *testing.T) {
	node := filepath.Join("..", "..", "node_modules", "node", "bin", "node")
	if text, err := exec.Command(node, "../../scripts/bundle-scenarios.ts").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	text, image := textScenario("chat", "chat", 5_000, 1000), imageScenario("edit", "image_edit", "url", 1000)
	talk := withText(textScenario("talk", "chat", 2_000, 1000), map[string]any{"session": map[string]any{"turns": 2, "think_ms": 1}})
	for name, c := range map[string]struct {
		scenarios []planScenario
		perVU     int
		want      int
	}{
		"without a word of JavaScript": {[]planScenario{text}, 1, 5},
		"in a pool":                    {[]planScenario{text}, 10, 5},
		"with images":                  {[]planScenario{text, image}, 1, 7},
		"with a session":               {[]planScenario{text, talk}, 1, 9}, // which waits with setTimeout
	} {
		t.Run(name, func(t *testing.T) {
			g := newGateway(t)
			command, dir, output := start(t, g, setup{
				drainMS: 5000, script: "../dist/scenarios/mixed.js", scenarios: c.scenarios,
				workload: map[string]any{"calls_per_vu": c.perVU},
			})
			if err := command.Wait(); err != nil {
				t.Fatalf("%v\n%s", err, output)
			}
			b := read(t, dir)
			for id, row := range b.paid {
				if row.Outcome != "ok" {
					t.Errorf("%s: %s", id, row.Outcome)
				}
			}
			if len(b.paid) != c.want || len(g.received()) != c.want {
				t.Errorf("%d rows, %d requests\n%s", len(b.paid), len(g.received()), output)
			}
		})
	}
}

func TestAScriptWithoutItsKindSaysSo(t *testing.T) {
	g := newGateway(t)
	command, _, output := start(t, g, setup{drainMS: 5000, script: "video.ts", scenarios: []planScenario{textScenario("chat", "chat", 5_000, 1000)}})
	if err := command.Wait(); err == nil || !strings.Contains(output.String(), "the plan has no scenario of kind video; it has chat") {
		t.Errorf("%v\n%s", err, output)
	}
}

func TestWithoutAPlanTheScriptSaysWhatIsMissing(t *testing.T) {
	output, err := k6(t, nil, "run", "--quiet", "../../scenarios/mixed.ts")
	if err == nil || !strings.Contains(output, "WEIGHBRIDGE_PLAN: expected the path of a plan.json") ||
		!strings.Contains(output, "Calls without a plan: xk6/examples/hello.ts") {
		t.Errorf("%v\n%s", err, output)
	}
}

func TestAMalformedPlanStopsBeforeK6(t *testing.T) {
	path := filepath.Join(t.TempDir(), "plan.json")
	if err := os.WriteFile(path, []byte(`{"schema":"other"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	output, err := k6(t, []string{"WEIGHBRIDGE_PLAN=" + path}, "run", "../../scenarios/mixed.ts")
	if err == nil || !strings.Contains(output, `expected schema "weighbridge.plan/1", found "other"`) {
		t.Errorf("%v\n%s", err, output)
	}
}

func TestNothingIsResolvedFromOutside(t *testing.T) {
	output, err := k6(t, nil, "deps", "--json", "../../scenarios/selftest.ts")
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	var found struct {
		CustomBuildRequired *bool `json:"customBuildRequired"`
	}
	if err := json.Unmarshal([]byte(output), &found); err != nil || found.CustomBuildRequired == nil || *found.CustomBuildRequired {
		t.Errorf("%v\n%s", err, output)
	}
}

func TestMetricsReachK6sOtherOutputs(t *testing.T) {
	g := newGateway(t)
	samples := filepath.Join(t.TempDir(), "samples.json")
	command, dir, output := start(t, g, setup{drainMS: 5000, scenarios: []planScenario{textScenario("chat", "chat", 10_000, 1000)}})
	_ = command.Process.Kill()
	_ = command.Wait()
	again := exec.Command(command.Path, append(append([]string{}, command.Args[1:len(command.Args)-1]...),
		"--out", "json="+samples, command.Args[len(command.Args)-1])...)
	again.Env = command.Env
	if text, err := again.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s%s", err, output, text)
	}
	text, err := os.ReadFile(samples)
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		var point struct {
			Type   string `json:"type"`
			Metric string `json:"metric"`
			Data   struct {
				Tags map[string]string `json:"tags"`
			} `json:"data"`
		}
		if err := json.Unmarshal([]byte(line), &point); err != nil {
			t.Fatal(err)
		}
		if point.Type != "Point" {
			continue
		}
		counts[point.Metric]++
		if point.Metric == "weighbridge_duration" {
			tags := point.Data.Tags
			if tags["kind"] != "chat" || tags["model"] != "m/chat:a@b,c=d" || tags["outcome"] != "ok" || tags["scenario"] != "chat" {
				t.Errorf("tags %v", tags)
			}
		}
	}
	for metric, want := range map[string]int{
		"weighbridge_calls": 10, "weighbridge_ok": 10, "weighbridge_duration": 10, "weighbridge_ttft": 5, "weighbridge_tpot": 5,
		"weighbridge_schedule_lag": 10, "weighbridge_dropped": 10, "http_reqs": 10, "http_req_failed": 10,
	} {
		if counts[metric] != want {
			t.Errorf("%s: want %d samples, found %d", metric, want, counts[metric])
		}
	}
	if strings.Contains(string(text), apiKey) {
		t.Error("the key stands in the samples")
	}
	if _, err := os.Stat(filepath.Join(dir, "calls")); err != nil {
		t.Error(err)
	}
}
