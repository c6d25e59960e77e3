package wire

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"weighbridge.dev/xk6/sse"
)

// The corpus is shared with src/client/event-stream.test.ts: both sides must read every case alike.
const corpusDir = "../../test/corpus/sse"

type corpusEvent struct{ Type, Data string }

type corpusUsage struct {
	Input, Output, Reasoning *int64
	CacheRead                *int64 `json:"cache_read"`
	CacheWrite               *int64 `json:"cache_write"`
	Raw                      any
}

type corpusCase struct {
	name     string
	raw      []byte
	Kind     string
	Comments int
	Pending  bool
	Events   []corpusEvent
	Steps    []string
	Result   struct {
		Complete      bool
		ErrorType     *string `json:"error_type"`
		Finish        *string
		TerminalSeen  bool `json:"terminal_seen"`
		Usage         *corpusUsage
		ResponseID    *string        `json:"response_id"`
		ResponseModel *string        `json:"response_model"`
		ServiceTier   *string        `json:"service_tier"`
		Tools         map[string]int `json:"tools"`
		ErrorCode     *string        `json:"error_code"`
		APIErrorType  *string        `json:"api_error_type"`
		ErrorMessage  *string        `json:"error_message"`
		Text          string
		OutChars      int `json:"out_chars"`
		Events        int
	}
}

func loadCorpus(t testing.TB) []corpusCase {
	files, err := filepath.Glob(filepath.Join(corpusDir, "*.json"))
	if err != nil || len(files) < 25 {
		t.Fatalf("corpus: %d cases, %v", len(files), err)
	}
	var cases []corpusCase
	for _, file := range files {
		c := corpusCase{name: strings.TrimSuffix(filepath.Base(file), ".json")}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, &c); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if c.raw, err = os.ReadFile(strings.TrimSuffix(file, ".json") + ".txt"); err != nil {
			t.Fatal(err)
		}
		cases = append(cases, c)
	}
	return cases
}

// reading is all that one way of cutting the bytes gave.
type reading struct {
	events   []corpusEvent
	steps    []string
	comments int
	pending  bool
	result   Result
}

func read(t *testing.T, c corpusCase, chunks ...[]byte) reading {
	t.Helper()
	var r reading
	p, s := sse.NewParser(0), NewStream(c.Kind, true)
	for _, chunk := range chunks {
		own := bytes.Clone(chunk)
		err := p.Feed(own, func(ev sse.Event) {
			r.events = append(r.events, corpusEvent{string(ev.Type), wellFormed(ev.Data)})
			r.steps = append(r.steps, letters(s.Event(ev)))
		})
		if err != nil {
			t.Fatal(err)
		}
		// The reader's buffer is used again: nothing may still look into it.
		for i := range own {
			own[i] = '#'
		}
		s.Result() // asking in the middle must not disturb
	}
	r.comments, r.pending, r.result = p.Comments(), p.Pending(), s.Result()
	return r
}

func wellFormed(b []byte) string {
	var out []byte
	for len(b) > 0 {
		c, n := decodeRune(b)
		out = utf8.AppendRune(out, c)
		b = b[n:]
	}
	return string(out)
}

func letters(s Step) string {
	out := ""
	switch {
	case s.Visible && s.Content:
		out = "v"
	case s.Visible:
		out = "visible but no content"
	case s.Content:
		out = "c"
	}
	if s.Terminal {
		out += "t"
	}
	if out == "" {
		return "-"
	}
	return out
}

// mostReadings of a case, cut in two, go through the stream's reader too; the parser is given every cut.
const mostReadings = 300

func TestCorpus(t *testing.T) {
	for _, c := range loadCorpus(t) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			whole := read(t, c, c.raw)
			c.check(t, whole)
			events, step := parse(t, c.raw), 1+len(c.raw)/mostReadings
			for i := range c.raw {
				if got := parse(t, c.raw[:i], c.raw[i:]); !slices.Equal(got, events) {
					t.Fatalf("cut at byte %d: %q\nwhole: %q", i, got, events)
				}
				if i%step != 0 && !atLineEnd(c.raw, i) {
					continue
				}
				if got := read(t, c, c.raw[:i], c.raw[i:]); !reflect.DeepEqual(got, whole) {
					t.Fatalf("cut at byte %d: %+v\nwhole: %+v", i, got, whole)
				}
			}
			var single [][]byte
			for i := range c.raw {
				single = append(single, c.raw[i:i+1])
			}
			if got := read(t, c, single...); !reflect.DeepEqual(got, whole) {
				t.Fatalf("byte by byte: %+v\nwhole: %+v", got, whole)
			}
		})
	}
}

// parse gives what the parser alone makes of the chunks, in one list.
func parse(t *testing.T, chunks ...[]byte) []string {
	t.Helper()
	var seen []string
	p := sse.NewParser(0)
	for _, chunk := range chunks {
		own := bytes.Clone(chunk)
		if err := p.Feed(own, func(ev sse.Event) { seen = append(seen, string(ev.Type), string(ev.Data)) }); err != nil {
			t.Fatal(err)
		}
		for i := range own {
			own[i] = '#'
		}
	}
	return append(seen, strconv.Itoa(p.Comments()), strconv.FormatBool(p.Pending()))
}

// atLineEnd tells whether a cut before byte i is beside or within an end of a line.
func atLineEnd(raw []byte, i int) bool {
	isEnd := func(at int) bool { return at >= 0 && at < len(raw) && (raw[at] == '\n' || raw[at] == '\r') }
	return isEnd(i-1) || isEnd(i)
}

func (c corpusCase) check(t *testing.T, got reading) {
	t.Helper()
	equal(t, "events", len(got.events), len(c.Events))
	for i := range min(len(got.events), len(c.Events)) {
		equal(t, "event", got.events[i], c.Events[i])
	}
	equal(t, "steps", strings.Join(got.steps, " "), strings.Join(c.Steps, " "))
	equal(t, "comments", got.comments, c.Comments)
	equal(t, "pending", got.pending, c.Pending)
	r, want := got.result, c.Result
	equal(t, "complete", r.Complete, want.Complete)
	equal(t, "error type", r.ErrorType, text0(want.ErrorType))
	equal(t, "finish", r.Finish, text0(want.Finish))
	equal(t, "terminal", r.TerminalSeen, want.TerminalSeen)
	equal(t, "response id", r.ResponseID, text0(want.ResponseID))
	equal(t, "model", r.Model, text0(want.ResponseModel))
	equal(t, "service tier", r.ServiceTier, text0(want.ServiceTier))
	if (r.Tools == nil) != (want.Tools == nil) || !maps.Equal(r.Tools, want.Tools) {
		t.Errorf("tools: found %v, want %v", r.Tools, want.Tools)
	}
	equal(t, "error code", r.ErrorCode, text0(want.ErrorCode))
	equal(t, "API error type", r.APIErrorType, text0(want.APIErrorType))
	equal(t, "error message", r.ErrorMessage, text0(want.ErrorMessage))
	equal(t, "chars", r.OutChars, want.OutChars)
	equal(t, "event count", r.Events, want.Events)
	equal(t, "hash", r.TextSHA256, hashOf(want.Text))
	if (r.Usage == nil) != (want.Usage == nil) {
		t.Fatalf("usage: got %+v, want %+v", r.Usage, want.Usage)
	}
	if u := r.Usage; u != nil {
		var raw any
		if err := json.Unmarshal(u.Raw, &raw); err != nil {
			t.Fatalf("raw usage %s: %v", u.Raw, err)
		}
		if got := (corpusUsage{u.Input, u.Output, u.Reasoning, u.CacheRead, u.CacheWrite, raw}); !reflect.DeepEqual(got, *want.Usage) {
			g, _ := json.Marshal(got)
			w, _ := json.Marshal(want.Usage)
			t.Errorf("usage: got %s\nwant %s", g, w)
		}
	}
}

func equal[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func text0(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func hashOf(text string) string {
	if text == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
