// Package deploy holds the templates of scheduled runs to the types and tools that will read them.
package deploy

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/rhysd/actionlint"
)

const scheduled = "../../deploy/scheduled"

func TestWorkflowsPassActionlint(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(scheduled, "github/*.yml"))
	if err != nil || len(files) != 2 {
		t.Fatalf("expected 2 workflows, found %v (%v)", files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, problem := range lint(t, file, text) {
			t.Error(problem)
		}
	}
}

func TestActionlintSeesAFault(t *testing.T) {
	broken := []byte("on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    stepps: []\n")
	if len(lint(t, "broken.yml", broken)) == 0 {
		t.Error("a workflow with an unknown key passes")
	}
}

func lint(t *testing.T, file string, text []byte) []*actionlint.Error {
	t.Helper()
	linter, err := actionlint.NewLinter(io.Discard, &actionlint.LinterOptions{ConfigFile: "actionlint.yaml"})
	if err != nil {
		t.Fatal(err)
	}
	found, err := linter.Lint(file, text, nil)
	if err != nil {
		t.Fatal(err)
	}
	return found
}
