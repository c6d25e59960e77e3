package traffic

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"weighbridge.dev/xk6/plan"
)

// fileOf writes a file of prompts and names it as a plan does.
func fileOf(t *testing.T, text string, count int64) plan.PromptFile {
	t.Helper()
	path := filepath.Join(t.TempDir(), "prompts")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	hash := sha256.Sum256([]byte(text))
	return plan.PromptFile{Path: path, SHA256: hex.EncodeToString(hash[:]), Count: count, Order: "in_turn"}
}

func TestPromptsAreLinesOrObjects(t *testing.T) {
	for text, want := range map[string][]string{
		"one\ntwo  \n\n \t\r\n three\r\n": {"one", "two  ", " three"},
		"\ufeffone\ntwo":                  {"one", "two"},
		"\n{\"prompt\":\"a\\nb\"}\r\n\n{\"x\":1,\"prompt\":\"{\"}": {"a\nb", "{"},
	} {
		found, err := ReadPrompts(fileOf(t, text, int64(len(want))))
		if err != nil || !slices.Equal(found, want) {
			t.Errorf("%q: want %q, found %q, %v", text, want, found, err)
		}
	}
}

func TestPromptsThatAreNotAsPlannedAreRefused(t *testing.T) {
	changed := fileOf(t, "one\n", 1)
	changed.SHA256 = strings.Repeat("0", 64)
	for want, file := range map[string]plan.PromptFile{
		"no such file":                  {Path: filepath.Join(t.TempDir(), "none")},
		"found another":                 changed,
		"expected UTF-8":                fileOf(t, "\xff\n", 1),
		"expected 3 prompts as planned": fileOf(t, "one\ntwo\n", 3),
		"expected 0 prompts as planned": fileOf(t, "\n", 0),
		"line 2: expected a JSON object with a text \"prompt\"": fileOf(t, "{\"prompt\":\"a\"}\n{\"text\":\"b\"}\n", 2),
		"line 1: expected a JSON object with a text \"prompt\"": fileOf(t, "{\"prompt\":\"\"}\n", 1),
	} {
		if _, err := ReadPrompts(file); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, found %v", want, err)
		}
	}
}

func TestAPlanWhoseFilesAreGoneIsRefusedBeforeItsFirstCall(t *testing.T) {
	shape := plan.Scenario{Name: "chat", Kind: "chat", Text: &plan.Text{Prompts: &plan.PromptFile{Path: "/none", Count: 1}}}
	p := &plan.Plan{Workload: plan.Workload{Scenarios: []plan.Scenario{shape}}}
	if _, err := New(p, "i0", nil); err == nil || !strings.HasPrefix(err.Error(), "scenario chat: prompts: open /none") {
		t.Error(err)
	}
}

func TestACopyBesideThePlanStandsForAFileOfAnotherMachine(t *testing.T) {
	text := "one\ntwo\n"
	file := fileOf(t, text, 2)
	planPath := filepath.Join(t.TempDir(), "plan.json")
	if found := besidePlan(planPath, file); found != file {
		t.Errorf("without a copy: %+v", found)
	}
	copied := filepath.Join(filepath.Dir(planPath), "prompts-"+file.SHA256[:16]+".txt")
	if err := os.Rename(file.Path, copied); err != nil {
		t.Fatal(err)
	}
	if found, err := ReadPrompts(besidePlan(planPath, file)); err != nil || !slices.Equal(found, []string{"one", "two"}) {
		t.Errorf("%q, %v", found, err)
	}
}
