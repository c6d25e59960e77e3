package secret

import (
	"bytes"
	"strconv"
)

// withoutEscapes writes the characters of ASCII that a JSON text holds as escapes, \u0073 for s or \/ for a slash, as
// they are; the text means the same. nil where it holds none.
func withoutEscapes(line []byte) []byte {
	if !bytes.Contains(line, []byte(`\u00`)) && !bytes.Contains(line, []byte(`\/`)) {
		return nil
	}
	plain := make([]byte, 0, len(line))
	for i := 0; i < len(line); {
		if line[i] != '\\' || i+1 == len(line) {
			plain = append(plain, line[i])
			i++
			continue
		}
		char, length := escaped(line[i:])
		if length == 0 {
			plain = append(plain, line[i], line[i+1]) // together: the second may be a backslash
			i += 2
			continue
		}
		plain = append(plain, char)
		i += length
	}
	return plain
}

// escaped is the character of an escape that can be written as it is; length 0 for any other.
func escaped(at []byte) (char byte, length int) {
	if at[1] == '/' {
		return '/', 2
	}
	if at[1] != 'u' || len(at) < 6 {
		return 0, 0
	}
	code, err := strconv.ParseUint(string(at[2:6]), 16, 16)
	if err != nil || code < ' ' || code > '~' || code == '"' || code == '\\' {
		return 0, 0
	}
	return byte(code), 6
}
