package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheScriptOfTheDocsRunsAsShown(t *testing.T) {
	page, err := os.ReadFile("../../docs/scripts.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "```ts\n")
	shown, _, found := strings.Cut(rest, "```")
	path := filepath.Join(t.TempDir(), "shown.ts")
	if err := os.WriteFile(path, []byte(shown), 0o600); err != nil || !found {
		t.Fatal(err, found)
	}
	relative, err := filepath.Rel(absolute(t, "../../scenarios"), path)
	if err != nil {
		t.Fatal(err)
	}
	g := newGateway(t)
	command, dir, output := start(t, g, setup{script: relative, scenarios: []planScenario{textScenario("chat", "chat", 1_000, 1000)}})
	if err := command.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	rows := read(t, dir).paid
	for id, row := range rows {
		if row.Outcome != "ok" || !row.Stream || *row.PromptBytes != 200+int64(len("Answer in one sentence.")) {
			t.Errorf("%s: %s, %d bytes", id, row.Outcome, *row.PromptBytes)
		}
	}
	if len(rows) != 10 || rows["i0/chat/9/1"].CallID == "" {
		t.Errorf("%d rows\n%s", len(rows), output)
	}
}

func absolute(t *testing.T, path string) string {
	t.Helper()
	full, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return full
}
