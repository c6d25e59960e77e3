package wire

import (
	"math"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// token is a JSON string as it stands between its quotes.
type token struct {
	raw     []byte
	at      int  // where raw begins in what was scanned
	ok      bool // the value was a string
	escaped bool
}

// nonEmpty: an absent field, one of another type and an empty string all carry no content.
func (t token) nonEmpty() bool { return len(t.raw) > 0 }

func (t token) String() string { return string(t.appendTo(nil)) }

// appendTo adds the decoded text as valid UTF-8: a lone surrogate and each ill-formed sequence become U+FFFD.
func (t token) appendTo(dst []byte) []byte {
	if !t.escaped && utf8.Valid(t.raw) {
		return append(dst, t.raw...)
	}
	for b := t.raw; len(b) > 0; {
		switch {
		case b[0] == '\\':
			var n int
			dst, n = appendEscape(dst, b)
			b = b[n:]
		case b[0] < utf8.RuneSelf:
			dst = append(dst, b[0])
			b = b[1:]
		default:
			r, n := decodeRune(b)
			dst = utf8.AppendRune(dst, r)
			b = b[n:]
		}
	}
	return dst
}

// appendEscape decodes one escape, which scan has checked, and tells its length.
func appendEscape(dst, b []byte) ([]byte, int) {
	switch b[1] {
	case 'b':
		return append(dst, '\b'), 2
	case 'f':
		return append(dst, '\f'), 2
	case 'n':
		return append(dst, '\n'), 2
	case 'r':
		return append(dst, '\r'), 2
	case 't':
		return append(dst, '\t'), 2
	case 'u':
	default:
		return append(dst, b[1]), 2
	}
	r, _ := hex4(b[2:])
	if utf16.IsSurrogate(r) {
		if len(b) >= 12 && b[6] == '\\' && b[7] == 'u' {
			if low, ok := hex4(b[8:]); ok {
				if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
					return utf8.AppendRune(dst, pair), 12
				}
			}
		}
		r = utf8.RuneError
	}
	return utf8.AppendRune(dst, r), 6
}

func hex4(b []byte) (rune, bool) {
	if len(b) < 4 {
		return 0, false
	}
	var r rune
	for _, c := range b[:4] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

// decodeRune is utf8.DecodeRune, but takes the longest prefix of a cut sequence as one error, as the Encoding Standard
// (and so every browser and Node's TextDecoder) does.
func decodeRune(b []byte) (rune, int) {
	r, n := utf8.DecodeRune(b)
	if r != utf8.RuneError || n != 1 {
		return r, n
	}
	for n < len(b) && n < utf8.UTFMax && !utf8.FullRune(b[:n]) {
		if utf8.FullRune(b[:n+1]) {
			break
		}
		n++
	}
	return utf8.RuneError, n
}

// maxInteger is the largest integer that every JSON reader agrees on.
const maxInteger = 1<<53 - 1

// parseInteger takes a JSON number (1200, 1200.0, 1.2e3) that is whole and within ±(2^53-1).
func parseInteger(raw []byte) (int64, bool) {
	if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
		return n, n >= -maxInteger && n <= maxInteger
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > maxInteger {
		return 0, false
	}
	return int64(f), true
}
