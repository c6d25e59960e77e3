package wire

import (
	"net/http"
	"slices"
	"strings"
)

// maxName is the longest name of a header or field that is kept.
const maxName = 64

// place is a text that may be an id, and where it stood.
type place struct{ name, text string }

// OtherIDs keeps what a gateway may have named the request by: texts of headers, of the body's fields and of its error
// object, by their place; nil for none. known are ids that the row has elsewhere; clean takes the key out. src/wire/other-ids.ts has the
// same rules. No name decides it: which place tells the id is learnt later, from the usage records.
func OtherIDs(header http.Header, body []byte, known []string, clean func(string) string) map[string]string {
	places := bodyPlaces(body)
	for name, values := range header {
		if len(values) > 0 {
			places = addPlace(places, "header:", strings.ToLower(name), values[0])
		}
	}
	slices.SortStableFunc(places, func(a, b place) int { return strings.Compare(a.name, b.name) })
	var kept map[string]string
	for _, p := range places {
		switch {
		case len(kept) == maxOtherIDs:
			return kept
		case slices.Contains(known, p.text) || clean(p.text) != p.text || clean(p.name) != p.name:
			continue
		case kept == nil:
			kept = make(map[string]string, min(len(places), maxOtherIDs))
		}
		kept[p.name] = p.text
	}
	return kept
}

// bodyPlaces are those of one JSON object; none where the text is not one.
func bodyPlaces(body []byte) []place {
	var places []place
	s := scan{b: body}
	if !s.object() {
		return nil
	}
	for s.key() {
		name := string(s.name)
		switch {
		case name == "error" && s.peek() == '{' && s.object():
			for s.key() {
				name := string(s.name)
				places = addPlace(places, "error:", name, s.short())
			}
		default:
			places = addPlace(places, "body:", name, s.short())
		}
	}
	if !s.done() {
		return nil
	}
	return places
}

// short reads a string that is short enough for an id; any other value is read past and gives "".
func (s *scan) short() string {
	t := s.str()
	if !t.ok || len(t.raw) > mostOtherID {
		return ""
	}
	return t.String()
}

func addPlace(places []place, of, name, text string) []place {
	if !isIDShaped(text) || !mayNameID(name) {
		return places
	}
	return append(places, place{of + name, text})
}

func mayNameID(name string) bool {
	if name == "" || len(name) > maxName {
		return false
	}
	for i := range len(name) {
		if c := name[i]; !isLetter(c) && !isDigit(c) && c != '_' && c != '.' && c != '-' {
			return false
		}
	}
	low := strings.ToLower(name)
	return !neverIDs[low] && !slices.ContainsFunc(secretNames, func(word string) bool { return strings.Contains(low, word) })
}

// isIDShaped tells one word of letters, digits and marks, with a digit: no sentence, and no word of a language.
func isIDShaped(text string) bool {
	if len(text) < leastOtherID || len(text) > mostOtherID {
		return false
	}
	digits := 0
	for i := range len(text) {
		switch c := text[i]; {
		case isDigit(c):
			digits++
		case !isLetter(c) && strings.IndexByte(idMarks, c) < 0:
			return false
		}
	}
	return digits > 0
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
