package wire

import (
	"encoding/json"
	"strings"
	"testing"
)

// FuzzScan holds the scanner against encoding/json: the same texts are valid, the same strings come out.
func FuzzScan(f *testing.F) {
	for _, s := range []string{
		`{}`, `[]`, `{"a":1}`, `{"a":1,}`, `{,}`, `[1,]`, `[,1]`, `[1 2]`, `{"a" 1}`, `{"a":}`, `{a:1}`, `nul`, `null`, `true`, `falsy`, `"x`, `"\u12"`, `"\u12g4"`,
		`"\ud83d\ude9a"`, `"\ud83d"`, `"\ude9a\ud83dx"`, `"\ud83d\u0041"`, `"\ud83d\n"`, `"\x"`, "\"\x01\"", "\"\xff\"", "\"\xe2\x82\"", `01`, `-`, `-0`, `1.`, `.5`, `1e`, `1e+5`, `1E-2`, `12.50`,
		` { "a" : [ 1 , "b" , null ] } `, `{} {}`, `{}x`, `]`, `{]`, `[}`, `{"a":[}`, `"\"\\\/\b\f\n\r\t"`, "\t", "", `{"a":{"b":[[[{}]]]}}`, strings.Repeat("[", 10001) + strings.Repeat("]", 10001),
		strings.Repeat("[", 10000) + strings.Repeat("]", 10000),
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := scan{b: []byte(text)}
		s.skip()
		if got, want := s.done(), json.Valid([]byte(text)); got != want {
			t.Fatalf("%q: valid %v, encoding/json says %v", text, got, want)
		}
		var want string
		if json.Unmarshal([]byte(text), &want) != nil || strings.HasPrefix(strings.TrimSpace(text), "null") {
			return
		}
		s = scan{b: []byte(text)}
		got := s.str().String()
		// encoding/json gives a U+FFFD for each ill-formed byte, we for each longest cut sequence.
		if fold(got) != fold(want) {
			t.Fatalf("%q: got %q, want %q", text, got, want)
		}
	})
}

func fold(s string) string {
	for strings.Contains(s, "\uFFFD\uFFFD") {
		s = strings.ReplaceAll(s, "\uFFFD\uFFFD", "\uFFFD")
	}
	return s
}

func TestIntegers(t *testing.T) {
	for text, want := range map[string]int64{"0": 0, "-3": -3, "12.0": 12, "1.2e3": 1200, "9007199254740991": 9007199254740991} {
		if got, ok := (&scan{b: []byte(text)}).integer(); !ok || got != want {
			t.Errorf("%s: %d %v", text, got, ok)
		}
	}
	for _, text := range []string{`"3"`, "null", "true", "1.5", "9007199254740992", "1e400", "[]", "{}", "", "x"} {
		if got, ok := (&scan{b: []byte(text)}).integer(); ok {
			t.Errorf("%s: taken as %d", text, got)
		}
	}
}
