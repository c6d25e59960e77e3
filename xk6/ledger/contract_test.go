package ledger

import (
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// We always write these; null is what a file of an earlier version says.
var addedLater = []string{"timer_lag_ms", "not_sent", "aborted", "retried"}

// Field names and their order are those of src/contracts/ledger-lines.ts, null where TypeScript says so.
func TestLinesAreThoseOfTheContract(t *testing.T) {
	source, err := os.ReadFile("../../src/contracts/ledger-lines.ts")
	if err != nil {
		t.Fatal(err)
	}
	for name, line := range map[string]any{
		"LedgerHeader": Header{}, "Intent": Intent{}, "ScenarioState": ScenarioState{}, "StateLine": State{},
		"CallUsage": Usage{}, "CallUnits": Units{}, "CallJob": Job{}, "CallRow": Row{},
		"AnswerText": Text{},
	} {
		body := regexp.MustCompile(`export interface ` + name + ` \{\n([\s\S]*?)\n\}`).FindSubmatch(source)
		if body == nil {
			t.Fatalf("no interface %s", name)
		}
		var want, found []string
		for _, field := range regexp.MustCompile(`(?m)^  readonly (\w+): (.*)[;{]$`).FindAllStringSubmatch(string(body[1]), -1) {
			null := strings.Contains(field[2], "| null") && !slices.Contains(addedLater, field[1])
			want = append(want, field[1]+nullable(null || field[2] == "unknown"))
		}
		typed := reflect.TypeOf(line)
		for i := range typed.NumField() {
			field := typed.Field(i)
			kind := field.Type.Kind()
			null := kind == reflect.Pointer || kind == reflect.Map || kind == reflect.Slice && (field.Name == "ITL" || field.Name == "Raw")
			found = append(found, field.Tag.Get("json")+nullable(null))
		}
		if !slices.Equal(want, found) {
			t.Errorf("%s:\nwant  %v\nfound %v", name, want, found)
		}
	}
	for _, schema := range []string{HeaderSchema, IntentSchema, StateSchema, CallSchema, TextSchema} {
		if !strings.Contains(string(source), "'"+schema+"'") {
			t.Errorf("the contract knows no %s", schema)
		}
	}
}

func nullable(is bool) string {
	if is {
		return "?"
	}
	return ""
}
