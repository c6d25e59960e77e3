// Package secret holds the API key: read from the environment once, taken out of it, and never handed to JavaScript.
package secret

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

const masked = "[key]"

// Key is an API key that prints as a mask.
type Key struct {
	text  string
	bytes []byte
	// escaped is the key as it stands inside a JSON string, where that differs.
	escaped string
	// fingerprint is made once: every line of the ledger carries it.
	fingerprint *string
}

// NewKey wraps a key.
func NewKey(text string) Key {
	quoted, _ := json.Marshal(text)
	key := Key{text: text, bytes: []byte(text), escaped: string(quoted[1 : len(quoted)-1])}
	if key.Present() {
		sum := sha256.Sum256(key.bytes)
		fingerprint := hex.EncodeToString(sum[:])[:16]
		key.fingerprint = &fingerprint
	}
	return key
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

// Scrub masks every occurrence of the key.
func (k Key) Scrub(text string) string {
	if !k.Present() {
		return text
	}
	return strings.ReplaceAll(text, k.text, masked)
}

// ScrubLine masks the key in a line of JSON, escaped or not.
func (k Key) ScrubLine(line []byte) []byte {
	if !k.Present() {
		return line
	}
	if bytes.Contains(line, k.bytes) { // ReplaceAll copies, and nearly every line is clean
		line = bytes.ReplaceAll(line, k.bytes, []byte(masked))
	}
	if k.escaped != k.text {
		line = bytes.ReplaceAll(line, []byte(k.escaped), []byte(masked))
	}
	return line
}
