// Package deploy holds the templates of scheduled runs to the types and tools that will read them.
package deploy

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rhysd/actionlint"
)

const scheduled = "../../deploy/scheduled"

func TestWorkflowsPassActionlint(t *testing.T) {
	var files []string
	for _, pattern := range []string{filepath.Join(scheduled, "github/*.yml"), "../../.github/workflows/*.yml"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	if len(files) != 5 {
		t.Fatalf("expected 5 workflows, found %v", files)
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

func TestAWorkflowMayUseTheActionWithItsInputsAlone(t *testing.T) {
	project, err := actionlint.NewProject("../..")
	if err != nil {
		t.Fatal(err)
	}
	const workflow = "on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: ./\n        id: w\n" +
		"        with:\n          INPUT: run\n      - run: echo \"${{ steps.w.outputs.OUTPUT }}\"\n"
	for input, faults := range map[string]int{"command": 0, "api-key": 1} {
		for output, more := range map[string]int{"exit-status": 0, "status": 1} {
			text := strings.NewReplacer("INPUT", input, "OUTPUT", output).Replace(workflow)
			found := lintIn(t, project, "../../.github/workflows/x.yml", []byte(text))
			if len(found) != faults+more {
				t.Errorf("%s, %s: %v", input, output, found)
			}
		}
	}
}

func lint(t *testing.T, file string, text []byte) []*actionlint.Error { return lintIn(t, nil, file, text) }

func lintIn(t *testing.T, project *actionlint.Project, file string, text []byte) []*actionlint.Error {
	t.Helper()
	linter, err := actionlint.NewLinter(io.Discard, &actionlint.LinterOptions{ConfigFile: "actionlint.yaml"})
	if err != nil {
		t.Fatal(err)
	}
	found, err := linter.Lint(file, text, project)
	if err != nil {
		t.Fatal(err)
	}
	return found
}
