package secret

import (
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strings"
)

// span is where something stands in a text, the end not in it.
type span struct{ start, end int }

// reading is a text as encodings are compared: hexadecimal in small letters, base64 with + and /, made where they are
// asked for.
type reading struct{ text, hex, base64 string }

func (r *reading) as(in alphabet) string {
	switch {
	case in == inText || r.text == "":
		return r.text
	case in == inHex && r.hex == "":
		r.hex = mapped(r.text, "ABCDEF", "abcdef")
	case in == inBase64 && r.base64 == "":
		r.base64 = mapped(r.text, "-_", "+/")
	}
	if in == inHex {
		return r.hex
	}
	return r.base64
}

// mapped is the text with each of some characters replaced by its counterpart.
func mapped(text, from, to string) string {
	if !strings.ContainsAny(text, from) {
		return text
	}
	bytes := []byte(text)
	for i, c := range bytes {
		if at := strings.IndexByte(from, c); at >= 0 {
			bytes[i] = to[at]
		}
	}
	return string(bytes)
}

type alphabet uint8

const (
	inText alphabet = iota
	inHex
	inBase64
)

// form is one way of writing a secret.
type form struct {
	in   alphabet
	text string
	// before and after count the characters at its ends that carry bits of its neighbours too.
	before, after int
	// least is how much of it counts as its beginning.
	least int
}

// sought is a secret of visible ASCII, as it is sought.
type sought struct {
	secret string
	forms  []form // none of a short one
	// cores are the forms of what stands behind the prefix: where none of them stands, no other does.
	cores []form
}

func soughtOf(secret string) sought {
	core := strings.TrimPrefix(secret, keyPrefix)
	s := sought{secret: secret}
	if len(core) < leastEncoded {
		return s
	}
	s.cores = formsOf(core)
	s.forms = s.cores
	if core != secret {
		s.forms = append(formsOf(secret), s.cores...)
	}
	return s
}

func (s *sought) isShort() bool { return len(s.forms) == 0 }

// isWord tells that it may be any word.
func (s *sought) isWord() bool { return s.isShort() && !strings.HasPrefix(s.secret, keyPrefix) }

func (s *sought) isIn(r *reading) bool {
	return slices.ContainsFunc(s.cores, func(f form) bool { return strings.Contains(r.as(f.in), f.text) })
}

// spans are where it stands in one of its forms, in no order.
func (s *sought) spans(r *reading) []span {
	var found []span
	for _, f := range s.forms {
		text := r.as(f.in)
		for _, start := range indexes(text, f.text) {
			one := span{start, start + len(f.text)}
			if f.before > 0 && one.start > 0 && isBase64(text[one.start-1]) {
				one.start--
			}
			if f.after > 0 && one.end < len(text) && isBase64(text[one.end]) {
				one.end++
			}
			found = append(found, one)
		}
	}
	return found
}

// beginning is from where on the text ends with the beginning of a form; false where it does not.
func (s *sought) beginning(r *reading) (start int, found bool) {
	for _, f := range s.forms {
		text := r.as(f.in)
		from := max(0, len(text)-len(f.text)+1)
		for _, at := range indexes(text[from:], f.text[:f.least]) {
			if strings.HasPrefix(f.text, text[from+at:]) {
				if begun := max(0, from+at-f.before); !found || begun < start {
					start, found = begun, true
				}
				break
			}
		}
	}
	return start, found
}

// words are where a short one stands alone.
func (s *sought) words(text string) []span {
	var found []span
	for _, start := range indexes(text, s.secret) {
		end := start + len(s.secret)
		behindEscape := start > 1 && text[start-2] == '\\' && strings.IndexByte("bfnrt", text[start-1]) >= 0
		if (behindEscape || start == 0 || !isLetterOrDigit(text[start-1])) && (end == len(text) || !isLetterOrDigit(text[end])) {
			found = append(found, span{start, end})
		}
	}
	return found
}

// indexes are all places of a part, also where they overlap.
func indexes(text, part string) []int {
	var places []int
	for from := 0; ; {
		at := strings.Index(text[from:], part)
		if at < 0 {
			return places
		}
		places = append(places, from+at)
		from += at + 1
	}
}

func formsOf(secret string) []form {
	least := leastBeginning
	if strings.HasPrefix(secret, keyPrefix) {
		least = leastPrefixedBeginning
	}
	var forms []form
	for _, text := range readingsOf(secret) {
		forms = append(forms, form{text: text, least: least})
	}
	forms = append(forms, form{in: inHex, text: hex.EncodeToString([]byte(secret)), least: leastBeginning})
	for offset := range 3 {
		f := form{text: base64Of(secret, offset), least: leastBeginning}
		if strings.ContainsAny(f.text, "+/") {
			f.in = inBase64
		}
		if offset > 0 {
			f.before = 1
		}
		if (offset+len(secret))%3 > 0 {
			f.after = 1
		}
		forms = append(forms, f)
	}
	return forms
}

// readingsOf: it may hold what looks like an escape, which is taken off with the others.
func readingsOf(secret string) []string {
	var readings []string
	for text := secret; len(text) >= leastBeginning && !slices.Contains(readings, text); {
		readings = append(readings, text)
		text = strings.TrimSuffix(withoutEscapes(text+" "), " ") // the blank at its end: it was not cut
	}
	return readings
}

// base64Of are the characters of base64 that the secret alone decides where it begins offset bytes behind the start of a
// group.
func base64Of(secret string, offset int) string {
	encoded := base64.RawStdEncoding.EncodeToString(append(make([]byte, offset), secret...))
	return encoded[(offset*4+2)/3 : (offset+len(secret))*4/3]
}

func isLetterOrDigit(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
}

func isBase64(c byte) bool { return isLetterOrDigit(c) || strings.IndexByte("+/_-", c) >= 0 }
