package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

var linked struct {
	once sync.Once
	path string
	out  []byte
	err  error
}

// linkedByName is a k6 made as xk6 makes one: a main module of its own, which imports k6 and, by its path alone, the extension.
func linkedByName(t *testing.T) string {
	t.Helper()
	linked.once.Do(func() {
		if linked.path, linked.err = filepath.Abs("../../.cache/k6-e2e/k6-by-name"); linked.err != nil {
			return
		}
		dir := t.TempDir()
		for name, text := range mainModule(t) {
			if linked.err = os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); linked.err != nil {
				return
			}
		}
		command := exec.Command("go", "build", "-mod=mod", "-trimpath", "-ldflags=-s -w", "-o", linked.path, ".")
		command.Dir = dir
		command.Env = append(os.Environ(), "CGO_ENABLED=0", "GOPROXY=off", "GOWORK=off")
		linked.out, linked.err = command.CombinedOutput()
	})
	if linked.err != nil {
		t.Fatalf("go build: %v\n%s", linked.err, linked.out)
	}
	return linked.path
}

func mainModule(t *testing.T) map[string]string {
	t.Helper()
	needs, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile("../go.sum")
	if err != nil {
		t.Fatal(err)
	}
	module := strings.Replace(string(needs), "module weighbridge.dev/xk6\n", "module k6\n", 1)
	return map[string]string{
		"go.mod": module + "\nrequire weighbridge.dev/xk6 v0.0.0\n\nreplace weighbridge.dev/xk6 => " + absolute(t, "..") + "\n",
		"go.sum": string(sums),
		"main.go": "package main\n\nimport (\n\t\"go.k6.io/k6/v2/cmd\"\n\n\t_ \"weighbridge.dev/xk6\"\n)\n\n" +
			"func main() { cmd.Execute() }\n",
	}
}

func TestAK6ThatABuilderLinksHoldsTheWholeExtension(t *testing.T) {
	output, err := exec.Command(linkedByName(t), "version").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	for _, part := range []string{"k6/x/weighbridge [js]", "weighbridge [output]"} {
		if !strings.Contains(string(output), part) {
			t.Errorf("no %s\n%s", part, output)
		}
	}
	smoke := exec.Command(linkedByName(t), "run", "--no-usage-report", absolute(t, "../examples/smoke.ts"))
	smoke.Dir = t.TempDir()
	smoke.Env = quietEnvironment()
	if output, err := smoke.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, output)
	}
}

func TestAScriptOfALinkedK6CannotReadTheKey(t *testing.T) {
	g := newGateway(t)
	script := inFolder(t, `
import { chat } from 'k6/x/weighbridge';
export default function () {
  console.log(Object.keys(__ENV).filter((name) => name.startsWith('WEIGHBRIDGE_')).join());
  if (!chat({ url: __ENV.URL, model: 'm', prompt: 'x' }).ok) throw new Error('refused');
}`)
	command := exec.Command(linkedByName(t), "run", "--no-usage-report", "--log-format=raw", script)
	command.Dir = t.TempDir()
	command.Env = append(quietEnvironment(), "URL="+g.URL, "WEIGHBRIDGE_API_KEY="+apiKey)
	output, err := command.CombinedOutput()
	if err != nil || strings.Contains(string(output), "WEIGHBRIDGE_API_KEY") {
		t.Errorf("%v\n%s", err, output)
	}
	if len(g.headers) != 1 || g.headers[0].Get("Authorization") != "Bearer "+apiKey {
		t.Errorf("%v", g.headers)
	}
}

func TestTheScriptOfTheReadmeRuns(t *testing.T) {
	g := newGateway(t)
	page, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "```js\n")
	script, _, _ := strings.Cut(rest, "```")
	here := strings.Replace(script, "http://127.0.0.1:8000", g.URL, 1)
	command := exec.Command(binary(t), "run", "--no-usage-report", "--no-thresholds", inFolder(t, here))
	command.Dir = t.TempDir()
	command.Env = quietEnvironment()
	if output, err := command.CombinedOutput(); err != nil || len(g.bodies) != 1 {
		t.Errorf("%d calls, %v\n%s", len(g.bodies), err, output)
	}
}

func TestTheExampleOfStreamsMeasuresEach(t *testing.T) {
	g := newGateway(t)
	source, err := os.ReadFile("../examples/streams.ts")
	if err != nil {
		t.Fatal(err)
	}
	short := strings.Replace(string(source), "duration: '30s'", "duration: '1s'", 1)
	if short == string(source) {
		t.Fatal("the example has no duration to shorten")
	}
	// Its limit on time is for a server, and not for a machine that is busy with other tests.
	command := exec.Command(binary(t), "run", "--no-usage-report", "--no-thresholds", inFolder(t, short))
	command.Dir = t.TempDir()
	command.Env = append(quietEnvironment(), "URL="+g.URL+"/v1")
	output, err := command.CombinedOutput()
	if err != nil || !strings.Contains(string(output), "weighbridge_ttft.") || !strings.Contains(string(output), "100.00%") {
		t.Errorf("%v\n%s", err, output)
	}
	if len(g.bodies) == 0 || g.bodies[0]["stream"] != true {
		t.Errorf("%v", g.bodies)
	}
}
