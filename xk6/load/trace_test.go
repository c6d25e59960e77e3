package load

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheTraceOfAScenarioIsReadOnceAndHasAsManyStartsAsPlanned(t *testing.T) {
	dir := t.TempDir()
	text := `{"scenario":"a","at_us":1}` + "\n" + `{"scenario":"b","at_us":2}` + "\n" + `{"scenario":"a","at_us":3}` + "\n"
	sum := sha256.Sum256([]byte(text))
	file := filepath.Join(dir, "trace.ndjson")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	scenario := func(name string, calls int) string {
		return fmt.Sprintf(`{"name":%q,"arrival":{"stages":[],"trace":{"file":"trace.ndjson","sha256":%q,"calls":%d}}}`,
			name, hex.EncodeToString(sum[:]), calls)
	}
	planPath := filepath.Join(dir, "plan.json")
	planText := `{"schema":"weighbridge.plan/1","run_id":"r","plan_hash":"h","cap":{},"workload":{"seed":1,"scenarios":[` +
		scenario("a", 2) + "," + scenario("b", 5) + `,{"name":"c","arrival":{"stages":[]}}]}}`
	if err := os.WriteFile(planPath, []byte(planText), 0o600); err != nil {
		t.Fatal(err)
	}
	run := newRun(t, Settings{PlanPath: planPath})
	first, err := run.Trace("a")
	if err != nil || first.Count() != 2 {
		t.Fatalf("%v, %v", first, err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if again, err := run.Trace("a"); err != nil || again != first {
		t.Errorf("read again: %v", err)
	}
	if _, err := run.Trace("b"); err == nil || !strings.Contains(err.Error(), "expected 5 starts of b") {
		t.Errorf("found %v", err)
	}
	for _, name := range []string{"c", "unknown"} {
		if none, err := run.Trace(name); none != nil || err != nil {
			t.Errorf("%s: %v, %v", name, none, err)
		}
	}
}
