package secret

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

var escapeHere = regexp.MustCompile("^(?:" + escapePattern + ")")

// nextEscape is the first escape from a place on: its end, and the one character that it stands for, nothing for one that
// stands for none, itself for a name that is none. Its start is len(text) where there is none.
func nextEscape(text string, from int) (start, end int, meaning string) {
	for start = from; ; start++ {
		at := strings.IndexAny(text[start:], `\%&`)
		if at < 0 {
			return len(text), len(text), ""
		}
		start += at
		if groups := escapeHere.FindStringSubmatch(text[start:]); groups != nil {
			return start, start + len(groups[0]), meaningOf(groups)
		}
	}
}

func meaningOf(groups []string) string {
	if hex := strings.Join(groups[1:6], ""); hex != "" {
		code, _ := strconv.ParseUint(hex, 16, 8)
		return string(rune(code))
	}
	decimal, name := groups[6], groups[7]
	if char, known := htmlNames[strings.ToLower(name)]; known {
		return char
	}
	if code, err := strconv.Atoi(decimal); err == nil && code < utf8.RuneSelf {
		return string(rune(code))
	}
	if decimal == "" && name == "" {
		return ""
	}
	return groups[0]
}

// withoutEscapes is the text with one layer of its escapes taken off.
func withoutEscapes(text string) string {
	var plain strings.Builder
	for from := 0; ; {
		start, end, meaning := nextEscape(text, from)
		if start == len(text) {
			if from == 0 {
				return text
			}
			return plain.String() + text[from:]
		}
		plain.WriteString(text[from:start])
		plain.WriteString(meaning)
		from = end
	}
}

// placesBefore are the places of withoutEscapes(text) in the text; both ascend. Backslashes that stand for nothing are
// behind theirs.
func placesBefore(text string, places []int) []int {
	before := make([]int, 0, len(places))
	read, written := 0, 0
	for {
		start, end, meaning := nextEscape(text, read)
		for len(places) > len(before) && places[len(before)] <= written+start-read {
			before = append(before, read+places[len(before)]-written)
		}
		if start == len(text) {
			return before
		}
		read, written = end, written+start-read+len(meaning)
	}
}
