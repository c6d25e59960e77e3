package e2e

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// aloneResult is AloneResult of the d.ts file.
type aloneResult struct {
	OK            bool
	Status        *int
	Outcome, Text string
	Error, Finish *string
	TTFT, TPOT    *float64
	E2E           float64
	ITL           *struct{ P50, P95, P99, Max float64 }
	Tokens        struct{ Input, Output *int }
}

// alone runs k6 in a folder of its own on a script, without a plan, and gives what it printed and the result that it logged.
func alone(t *testing.T, script, url string, env ...string) (output string, result *aloneResult) {
	t.Helper()
	dir := t.TempDir()
	command := exec.Command(binary(t), "run", "--no-usage-report", "--log-format=raw", absolute(t, script))
	command.Dir = dir
	command.Env = append(append(quietEnvironment(), "URL="+url), env...)
	text, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("the run left %v behind (%v)", left, err)
	}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, `{"`) {
			result = &aloneResult{}
			if err := json.Unmarshal([]byte(line), result); err != nil {
				t.Fatalf("%v: %s", err, line)
			}
		}
	}
	if result == nil {
		t.Fatalf("no result\n%s", text)
	}
	return string(text), result
}

// inFolder writes a script of the test's own.
func inFolder(t *testing.T, source string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "script.ts")
	if err := os.WriteFile(path, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestHelloNeedsNeitherPlanNorKeyNorLedger(t *testing.T) {
	g := newGateway(t)
	output, r := alone(t, "../examples/hello.ts", g.URL+"/v1", "MODEL=small")
	if !r.OK || *r.Status != 200 || r.Outcome != "ok" || r.Error != nil || r.Text != "one two three" || *r.Finish != "stop" ||
		*r.Tokens.Input != 50 || *r.Tokens.Output != 3 {
		t.Errorf("%+v\n%s", r, output)
	}
	if r.ITL == nil || *r.TTFT <= 0 || *r.TTFT > r.E2E || r.ITL.P50 > r.ITL.P99 || r.ITL.P99 > r.ITL.Max ||
		(*r.TPOT*2+*r.TTFT-r.E2E) > 1e-6 {
		t.Errorf("%+v %+v", r, r.ITL)
	}
	body, header := g.bodies[0], g.headers[0]
	if body["model"] != "small" || body["max_tokens"] != 64.0 || body["stream"] != true || header.Get("Authorization") != "" {
		t.Errorf("%v %v", body, header)
	}
	for _, metric := range []string{"weighbridge_ttft", "weighbridge_itl_mean", "weighbridge_tpot", "weighbridge_duration", "weighbridge_tokens_out"} {
		if !strings.Contains(output, metric+".") {
			t.Errorf("the end summary does not show %s\n%s", metric, output)
		}
	}
	if strings.Count(output, "weighbridge_ok.") != 1 || !strings.Contains(output, "100.00%") {
		t.Errorf("%s", output)
	}
}

func TestACallAloneHasTheBodyTheHeadersAndTheKeyOfItsUser(t *testing.T) {
	g := newGateway(t)
	script := inFolder(t, `
import { chat, messages, responses } from 'k6/x/weighbridge';
export const options = { thresholds: { weighbridge_ttft: ['max<60000'], weighbridge_ok: ['rate==1'] } };
export default function () {
  const url = __ENV.URL;
  const more = { headers: { 'X-Team': 'a' }, body: { temperature: 0, stream_options: null, messages: [{ role: 'system', content: 'x' }] } };
  chat({ url, model: 'm', stream: true, ...more });
  responses({ url, model: 'm', prompt: 'Hello', headers: { Authorization: 'Bearer of-the-script' } });
  messages({ url, model: 'm', prompt: 'Hello', maxTokens: 8, stream: true });
  console.log(JSON.stringify(chat({ url, model: 'm', prompt: 'Hello' })));
}`)
	output, plain := alone(t, script, g.URL, "WEIGHBRIDGE_API_KEY="+apiKey)
	if !plain.OK || plain.TTFT != nil || plain.ITL != nil || plain.TPOT != nil || plain.E2E <= 0 || plain.Text != "one two three" {
		t.Errorf("%+v", plain)
	}
	if len(g.bodies) != 4 || strings.Contains(output, apiKey) {
		t.Fatalf("%d calls\n%s", len(g.bodies), output)
	}
	first := g.bodies[0]
	_, asked := first["stream_options"]
	if said, _ := json.Marshal(first["messages"]); first["temperature"] != 0.0 || asked || string(said) != `[{"content":"x","role":"system"}]` {
		t.Errorf("%v", first)
	}
	for at, want := range []http.Header{
		{"X-Team": {"a"}, "Authorization": {"Bearer " + apiKey}}, {"Authorization": {"Bearer of-the-script"}},
		{"X-Api-Key": {apiKey}, "Anthropic-Version": {"2023-06-01"}}, {"Authorization": {"Bearer " + apiKey}},
	} {
		for name := range want {
			if g.headers[at].Get(name) != want.Get(name) {
				t.Errorf("call %d: %s is %q", at, name, g.headers[at].Get(name))
			}
		}
	}
}

func TestARefusalIsAResultAndNoException(t *testing.T) {
	refusing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, `{"error":{"message":"no such model","code":"model_not_found"}}`, http.StatusNotFound)
	}))
	defer refusing.Close()
	_, r := alone(t, "../examples/hello.ts", refusing.URL+"/v1")
	if r.OK || *r.Status != 404 || r.Outcome != "http_error" || *r.Error != "no such model" || r.TTFT != nil || r.Tokens.Output != nil {
		t.Errorf("%+v", r)
	}
	refusing.Close()
	_, r = alone(t, "../examples/hello.ts", refusing.URL+"/v1")
	if r.OK || r.Status != nil || r.Outcome != "net_error" || r.Error == nil {
		t.Errorf("%+v", r)
	}
}

func TestMisuseOfACallAloneSaysWhatToDo(t *testing.T) {
	for _, c := range []struct{ call, want string }{
		{`chat({ model: 'm', prompt: 'x' })`, "chat: url: expected an address such as http://127.0.0.1:8000/v1, found nothing"},
		{`chat({ url: 'nowhere', model: 'm', prompt: 'x' })`, `found "nowhere"`},
		{`chat({ url: 'http://127.0.0.1:9', prompt: 'x' })`, "model: expected a model of the server"},
		{`chat({ url: 'http://127.0.0.1:9', model: 'm' })`, "prompt: expected a text"},
		{`chat({ url: 'http://127.0.0.1:9', model: 'm', prompt: 'x', max_tokens: 3 })`, `a call has no member "max_tokens"`},
		{`messages({ url: 'http://127.0.0.1:9', model: 'm', prompt: 'x' })`, "needs max_tokens"},
	} {
		script := inFolder(t, "import { chat, messages } from 'k6/x/weighbridge';\nexport default function () { "+c.call+" }")
		if output, _ := k6(t, nil, "run", "--quiet", "--summary-mode=disabled", script); !strings.Contains(output, strings.ReplaceAll(c.want, `"`, `\"`)) {
			t.Errorf("%s: %s", c.call, output)
		}
	}
}

func TestACallAloneIsRefusedBesideAPlan(t *testing.T) {
	g := newGateway(t)
	script := inFolder(t, "import { chat } from 'k6/x/weighbridge';\nexport default function () { chat({ url: '"+g.URL+"', model: 'm', prompt: 'x' }) }")
	command, _, output := start(t, g, setup{script: script, scenarios: []planScenario{textScenario("chat", "chat", 1_000, 1000)}})
	_ = command.Wait()
	if !strings.Contains(output.String(), "this call is not in the plan: the spend cap would not count it") || len(g.received()) != 0 {
		t.Errorf("%d calls\n%s", len(g.received()), output)
	}
}
