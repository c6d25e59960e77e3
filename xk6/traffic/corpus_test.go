package traffic

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"weighbridge.dev/xk6/plan"
)

// plannedCase is one scenario of the corpus, which test/support/planned-cases.ts makes from the specification.
type plannedCase struct {
	Name     string
	Seed     int64
	Nonce    string
	Instance string
	Scenario plan.Scenario
	Prompts  []string
	Calls    []plannedCall
}

type plannedCall struct {
	N            int64
	Start        *plannedStart
	CallID       string `json:"call_id"`
	LogicalID    string `json:"logical_id"`
	Marker       string
	Stream       bool
	MaxTokens    *int64 `json:"max_tokens"`
	Auth         string
	Multipart    bool
	Abort        *plannedAbort
	Watermark    *int64
	Turn         int64
	InSession    bool `json:"in_session"`
	Turns        int64
	ThinkMS      *int64 `json:"think_ms"`
	PromptBytes  int64  `json:"prompt_bytes"`
	PromptSHA256 string `json:"prompt_sha256"`
	PromptBegins string `json:"prompt_begins"`
}

type plannedStart struct {
	PromptBytes *int64  `json:"prompt_bytes"`
	MaxTokens   *int64  `json:"max_tokens"`
	Stream      *bool   `json:"stream"`
	HashIDs     []int64 `json:"hash_ids"`
}

type plannedAbort struct {
	AfterMS     *float64 `json:"after_ms"`
	AfterEvents *int64   `json:"after_events"`
}

func corpus(t testing.TB) []plannedCase {
	t.Helper()
	text, err := os.ReadFile("../../test/corpus/planned-calls.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []plannedCase
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	return cases
}

// callsOf plans a case as a run does, with its prompts in a file and its trace.
func callsOf(t testing.TB, c *plannedCase) *Calls {
	t.Helper()
	if c.Prompts != nil {
		file := *c.Scenario.Text.Prompts
		file.Path, file.SHA256 = promptFile(t, c.Prompts)
		c.Scenario.Text.Prompts = &file
	}
	p := &plan.Plan{Seed: c.Seed, Nonce: c.Nonce, Workload: plan.Workload{Scenarios: []plan.Scenario{c.Scenario}}}
	calls, err := New(p, c.Instance, func(*plan.Scenario) (func(int64) Start, error) {
		return func(n int64) Start {
			start := c.Calls[n].Start
			return Start{PromptBytes: start.PromptBytes, MaxTokens: start.MaxTokens, Stream: start.Stream, HashIDs: start.HashIDs}
		}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return calls
}

func promptFile(t testing.TB, prompts []string) (path, sum string) {
	t.Helper()
	var text []byte
	for _, prompt := range prompts {
		line, err := json.Marshal(map[string]string{"prompt": prompt})
		if err != nil {
			t.Fatal(err)
		}
		text = append(append(text, line...), '\n')
	}
	path = filepath.Join(t.TempDir(), "prompts.ndjson")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	hash := sha256.Sum256(text)
	return path, hex.EncodeToString(hash[:])
}

func TestCallsAreThoseOfTheSpecification(t *testing.T) {
	cases := corpus(t)
	count := 0
	for i := range cases {
		c := &cases[i]
		t.Run(c.Name, func(t *testing.T) {
			calls := callsOf(t, c)
			for _, want := range c.Calls {
				count++
				found, err := calls.Call(c.Scenario.Name, want.N, want.Turn)
				if err != nil {
					t.Fatal(err)
				}
				compare(t, want, found, c.Scenario)
			}
		})
	}
	if len(cases) < 30 || count < 300 {
		t.Errorf("%d calls of %d scenarios", count, len(cases))
	}
}

func compare(t *testing.T, want plannedCall, found Call, shape plan.Scenario) {
	t.Helper()
	hash := sha256.Sum256([]byte(found.Prompt))
	begins := []rune(found.Prompt)
	own := plannedCall{
		N: want.N, Start: want.Start, Turn: want.Turn, InSession: found.Turn != nil,
		CallID: found.CallID, LogicalID: found.LogicalID, Marker: found.Marker, Stream: found.Stream,
		MaxTokens: found.MaxTokens, Auth: found.Auth, Multipart: found.Multipart, Watermark: found.Watermark,
		Turns: found.Turns, ThinkMS: found.ThinkMS, PromptBytes: int64(len(found.Prompt)),
		PromptSHA256: hex.EncodeToString(hash[:]), PromptBegins: string(begins[:min(60, len(begins))]),
	}
	if found.Abort != nil {
		own.Abort = &plannedAbort{found.Abort.AfterMS, found.Abort.AfterEvents}
	}
	if !reflect.DeepEqual(want, own) {
		t.Errorf("call %d, turn %d:\nwant  %s\nfound %s", want.N, want.Turn, asJSON(want), asJSON(own))
	}
	if found.Turn != nil && *found.Turn != want.Turn {
		t.Errorf("call %d: turn %d, want %d", want.N, *found.Turn, want.Turn)
	}
	if found.Kind != shape.Kind || found.Model != shape.Model ||
		!reflect.DeepEqual(found.Image, shape.Image) || !reflect.DeepEqual(found.Video, shape.Video) {
		t.Errorf("call %d: %+v is not as the scenario says", want.N, found)
	}
}

func asJSON(value any) string {
	text, _ := json.Marshal(value)
	return string(text)
}
