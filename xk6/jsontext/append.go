// Package jsontext writes texts as JSON strings.
package jsontext

import "unicode/utf8"

// Append adds a text as a JSON string, as JSON.stringify writes it: nothing is escaped that need not be. Each byte that is
// no UTF-8 becomes U+FFFD.
func Append(into []byte, text string) []byte {
	const digits = "0123456789abcdef"
	into = append(into, '"')
	from := 0
	for i := 0; i < len(text); {
		c := text[i]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(text[i:])
			if r == utf8.RuneError && size == 1 {
				into = append(append(into, text[from:i]...), "\ufffd"...)
				from = i + 1
			}
			i += size
			continue
		}
		if c >= ' ' && c != '"' && c != '\\' {
			i++
			continue
		}
		into = append(into, text[from:i]...)
		switch c {
		case '"', '\\':
			into = append(into, '\\', c)
		case '\n':
			into = append(into, '\\', 'n')
		case '\r':
			into = append(into, '\\', 'r')
		case '\t':
			into = append(into, '\\', 't')
		case '\b':
			into = append(into, '\\', 'b')
		case '\f':
			into = append(into, '\\', 'f')
		default:
			into = append(into, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
		}
		i++
		from = i
	}
	return append(append(into, text[from:]...), '"')
}
