// Package secret holds the API key: read from the environment once, taken out of it, and never handed to JavaScript.
package secret

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
)

const masked = "[key]"

// Key is an API key that prints as a mask.
type Key struct {
	text string
	// forms are the texts that give the key away: itself, and encoded.
	forms  []string
	finder *finder
	// fingerprint is made once: every line of the ledger carries it.
	fingerprint *string
}

// NewKey wraps a key.
func NewKey(text string) Key {
	key := Key{text: text}
	if key.Present() {
		key.forms = formsOf(text)
		if len(text) >= leastWindow {
			key.finder = newFinder(key.forms)
		}
		sum := sha256.Sum256([]byte(text))
		fingerprint := hex.EncodeToString(sum[:])[:16]
		key.fingerprint = &fingerprint
	}
	return key
}

// leastEncoded is the shortest key that is sought encoded: the forms of a shorter one stand in any text by chance.
const leastEncoded = 8

// formsOf: the key, as it stands inside a JSON string and in a URL, in base64 of both alphabets and in hex of both cases.
func formsOf(text string) []string {
	quoted, _ := json.Marshal(text)
	key := []byte(text)
	forms := []string{text, string(quoted[1 : len(quoted)-1])}
	if len(text) >= leastEncoded {
		lower := hex.EncodeToString(key)
		forms = append(forms, base64.RawStdEncoding.EncodeToString(key), base64.RawURLEncoding.EncodeToString(key),
			lower, strings.ToUpper(lower))
		forms = append(forms, inURL(text)...)
	}
	different := forms[:0]
	for _, form := range forms {
		if !slices.Contains(different, form) {
			different = append(different, form)
		}
	}
	return different
}

var escape = regexp.MustCompile(`%[0-9A-F]{2}`)

// inURL: as one writes it into a query or a path, with the digits of its escapes in both cases.
func inURL(text string) []string {
	upper := url.QueryEscape(text)
	return []string{upper, escape.ReplaceAllStringFunc(upper, strings.ToLower)}
}

// Take reads WEIGHBRIDGE_API_KEY or the file that WEIGHBRIDGE_API_KEY_FILE names, and removes every credential
// from the environment, so that __ENV in a script never holds one.
func Take() (Key, error) {
	defer func() {
		for _, name := range []string{"WEIGHBRIDGE_API_KEY", "WEIGHBRIDGE_ACCESS_TOKEN"} {
			_ = os.Unsetenv(name)
		}
	}()
	if text := os.Getenv("WEIGHBRIDGE_API_KEY"); text != "" {
		return NewKey(strings.TrimSpace(text)), nil
	}
	path := os.Getenv("WEIGHBRIDGE_API_KEY_FILE")
	if path == "" {
		return Key{}, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return Key{}, fmt.Errorf("WEIGHBRIDGE_API_KEY_FILE: %w", err)
	}
	return NewKey(strings.TrimSpace(string(text))), nil
}

// Present reports whether there is a key.
func (k Key) Present() bool { return k.text != "" }

// Reveal is the key itself, for a request header only.
func (k Key) Reveal() string { return k.text }

// String masks the key in any print.
func (k Key) String() string { return masked }

// GoString masks the key in %#v.
func (k Key) GoString() string { return masked }

// Fingerprint is the first 16 hex digits of the key's SHA-256, or nil without a key.
func (k Key) Fingerprint() *string { return k.fingerprint }

// Scrub masks every occurrence of the key, also escaped for JSON or a URL, in base64 and in hex.
func (k Key) Scrub(text string) string {
	if k.finder != nil && !isIn(k.finder, text) {
		return text
	}
	for _, form := range k.forms {
		text = strings.ReplaceAll(text, form, masked)
	}
	return text
}

// ScrubLine is Scrub for a line of the ledger, in which a target may have put escapes in place of the key's characters.
func (k Key) ScrubLine(line []byte) []byte {
	if len(k.forms) == 0 {
		return line
	}
	if plain := withoutEscapes(line); plain != nil && k.isIn(plain) {
		line = plain
	}
	if !k.isIn(line) {
		return line
	}
	return []byte(k.Scrub(string(line)))
}

// isIn tells whether a form of the key may stand in a text.
func (k Key) isIn(where []byte) bool { return k.finder == nil || isIn(k.finder, where) }
