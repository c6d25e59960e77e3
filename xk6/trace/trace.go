// Package trace reads trace.ndjson, the starts that a run replays (TraceLine of src/core/plan.ts).
package trace

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"time"
)

// Sizes of one start; nil is as the scenario says.
type Sizes struct {
	PromptBytes *int64
	MaxTokens   *int64
	Stream      *bool
	// HashIDs name the blocks that the prompt begins with; nil where the trace tells none.
	HashIDs []int64
}

// Starts of one scenario, ascending by time.
type Starts struct {
	atUS        []int64
	promptBytes []int32
	maxTokens   []int32
	stream      []int8
	hashIDs     map[int][]int64 // of the starts that have some
}

// absent stands for null in the columns.
const absent = -1

// Count is the number of starts.
func (s *Starts) Count() int64 { return int64(len(s.atUS)) }

// At is the planned time of start n from the beginning of the scenario; n must be below Count.
func (s *Starts) At(n int64) time.Duration { return time.Duration(s.atUS[n]) * time.Microsecond }

// Sizes of start n, or false where there is none.
func (s *Starts) Sizes(n int64) (Sizes, bool) {
	if n < 0 || n >= s.Count() {
		return Sizes{}, false
	}
	sizes := Sizes{PromptBytes: known(s.promptBytes[n]), MaxTokens: known(s.maxTokens[n]), HashIDs: s.hashIDs[int(n)]}
	if s.stream[n] != absent {
		stream := s.stream[n] == 1
		sizes.Stream = &stream
	}
	return sizes, true
}

func known(size int32) *int64 {
	if size == absent {
		return nil
	}
	wide := int64(size)
	return &wide
}

type line struct {
	Scenario    *string `json:"scenario"`
	Kind        *string `json:"kind"`  // the plan's scenario has both
	Model       *string `json:"model"` // null also where the plan chose one
	AtUS        *int64  `json:"at_us"`
	PromptBytes *int32  `json:"prompt_bytes"`
	MaxTokens   *int32  `json:"max_tokens"`
	Stream      *bool   `json:"stream"`
	HashIDs     []int64 `json:"hash_ids"`
}

// Read gives the starts of each scenario. A file whose SHA-256 is not the plan's, and a line that is not as agreed,
// are errors: a replay that differs from its plan would cost something else.
func Read(path, sum string) (map[string]*Starts, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	found := sha256.Sum256(text)
	if hex.EncodeToString(found[:]) != sum {
		return nil, fmt.Errorf("trace %s: expected SHA-256 %s as the plan says, found %x", path, sum, found)
	}
	starts, err := parse(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("trace %s: %w", path, err)
	}
	return starts, nil
}

func parse(text io.Reader) (map[string]*Starts, error) {
	starts := map[string]*Starts{}
	scanner := bufio.NewScanner(text)
	scanner.Buffer(nil, 1<<20)
	for number := 1; scanner.Scan(); number++ {
		if err := add(starts, scanner.Bytes()); err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
	}
	return starts, scanner.Err()
}

func add(starts map[string]*Starts, text []byte) error {
	var l line
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&l); err != nil {
		return err
	}
	switch {
	case l.Scenario == nil || *l.Scenario == "":
		return fmt.Errorf("scenario: expected a name, found nothing")
	case l.AtUS == nil || *l.AtUS < 0 || *l.AtUS > math.MaxInt64/1000:
		return fmt.Errorf("at_us: expected whole microseconds from 0, found %s", shown(l.AtUS))
	case l.PromptBytes != nil && *l.PromptBytes < 0:
		return fmt.Errorf("prompt_bytes: expected 0 or more, found %d", *l.PromptBytes)
	case l.MaxTokens != nil && *l.MaxTokens < 0:
		return fmt.Errorf("max_tokens: expected 0 or more, found %d", *l.MaxTokens)
	}
	s, known := starts[*l.Scenario]
	if !known {
		s = &Starts{}
		starts[*l.Scenario] = s
	}
	if last := len(s.atUS) - 1; last >= 0 && s.atUS[last] > *l.AtUS {
		return fmt.Errorf("at_us: expected %d or more, as the line before, found %d", s.atUS[last], *l.AtUS)
	}
	s.atUS = append(s.atUS, *l.AtUS)
	s.promptBytes = append(s.promptBytes, or(l.PromptBytes))
	s.maxTokens = append(s.maxTokens, or(l.MaxTokens))
	s.stream = append(s.stream, flag(l.Stream))
	if l.HashIDs != nil {
		if s.hashIDs == nil {
			s.hashIDs = map[int][]int64{}
		}
		s.hashIDs[len(s.atUS)-1] = l.HashIDs
	}
	return nil
}

func shown(value *int64) string {
	if value == nil {
		return "nothing"
	}
	return fmt.Sprint(*value)
}

func or(size *int32) int32 {
	if size == nil {
		return absent
	}
	return *size
}

func flag(value *bool) int8 {
	switch {
	case value == nil:
		return absent
	case *value:
		return 1
	default:
		return 0
	}
}
