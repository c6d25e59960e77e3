// Package jsontext writes texts as JSON strings, for ledger lines and request bodies alike.
package jsontext

import "unicode/utf8"

const hexDigits = "0123456789abcdef"

// plain marks the ASCII characters that stand in a JSON string as they are.
var plain = func() (table [utf8.RuneSelf]bool) {
	for c := byte(' '); c < utf8.RuneSelf; c++ {
		table[c] = c != '"' && c != '\\'
	}
	return table
}()

// Append adds a text as encoding/json writes it with SetEscapeHTML(false), which every JSON parser reads back: bytes that
// are no UTF-8 become U+FFFD.
func Append(into []byte, text string) []byte {
	out := append(into, '"')
	start := 0
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			if plain[c] {
				i++
				continue
			}
			out = append(out, text[start:i]...)
			switch c {
			case '"', '\\':
				out = append(out, '\\', c)
			case '\b':
				out = append(out, '\\', 'b')
			case '\f':
				out = append(out, '\\', 'f')
			case '\n':
				out = append(out, '\\', 'n')
			case '\r':
				out = append(out, '\\', 'r')
			case '\t':
				out = append(out, '\\', 't')
			default:
				out = append(out, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&0xf])
			}
			i++
			start = i
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			out = append(append(out, text[start:i]...), `\ufffd`...)
			start = i + size
		case r == '\u2028' || r == '\u2029': // line ends to a reader of JavaScript
			out = append(append(out, text[start:i]...), '\\', 'u', '2', '0', '2', hexDigits[r&0xf])
			start = i + size
		}
		i += size
	}
	return append(append(out, text[start:]...), '"')
}
