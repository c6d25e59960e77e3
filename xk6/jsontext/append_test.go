package jsontext

import (
	"encoding/json"
	"testing"
	"unicode/utf8"
)

// Whatever the text, a JSON parser reads it back; bytes that are no UTF-8 come back as U+FFFD.
func FuzzAppend(f *testing.F) {
	for _, text := range []string{"", "plain", "\"\\\b\f\n\r\t\x00\x1f\x7f", "hällo €🙂", "\xff\xc3", "<&>\u2028"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		written := Append([]byte("x"), text)
		var read string
		if err := json.Unmarshal(written[1:], &read); err != nil {
			t.Fatalf("%q: %v", written, err)
		}
		want := string([]rune(text))
		if read != want || !utf8.Valid(written) {
			t.Fatalf("expected %q, found %q", want, read)
		}
	})
}
