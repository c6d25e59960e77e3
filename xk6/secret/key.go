// Package secret holds the API keys: read from the environment once, taken out of it, and never handed to JavaScript.
package secret

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"slices"
	"strings"
)

// Key is an API key that prints as a mask.
type Key struct {
	text string
	mask *mask
	// others are what the mask hides beside the key.
	others []string
	// fingerprint is made once: every line of the ledger carries it.
	fingerprint *string
}

// NewKey wraps a key. The others are what a target may repeat as well, such as the token of the account.
func NewKey(text string, others ...string) Key {
	return keyOf(text, others, maskOf(append(slices.Clip(others), text)...))
}

func keyOf(text string, others []string, mask *mask) Key {
	key := Key{text: text, others: others, mask: mask}
	if key.Present() {
		sum := sha256.Sum256([]byte(text))
		fingerprint := hex.EncodeToString(sum[:])[:16]
		key.fingerprint = &fingerprint
	}
	return key
}

// Keys are the API keys that the calls of a run take by turns. Each masks all of them.
type Keys []Key

// NewKeys wraps keys in their order. The others are what a target may repeat as well: without a key they are masked, too.
func NewKeys(texts []string, others ...string) Keys {
	mask := maskOf(append(slices.Clip(others), texts...)...)
	if len(texts) == 0 {
		return Keys{keyOf("", others, mask)}
	}
	keys := make(Keys, 0, len(texts))
	for _, text := range texts {
		keys = append(keys, keyOf(text, others, mask))
	}
	return keys
}

// masking is the same keys, which mask the others as well.
func (k Keys) masking(others ...string) Keys {
	var texts []string
	for _, key := range k {
		if key.Present() {
			texts = append(texts, key.text)
		}
	}
	return NewKeys(texts, append(slices.Clip(k.First().others), others...)...)
}

// First is the key of what has no number, and masks them all. The zero value has none.
func (k Keys) First() Key {
	if len(k) == 0 {
		return Key{}
	}
	return k[0]
}

// Of is the key of start n of a scenario: the same in each run of a plan, and for all that belongs to that start.
func (k Keys) Of(n *int64) Key {
	if len(k) < 2 || n == nil {
		return k.First()
	}
	return k[uint64(*n)%uint64(len(k))]
}

// Fingerprint is that of the only key, or nil where there are none or several.
func (k Keys) Fingerprint() *string {
	if len(k) != 1 {
		return nil
	}
	return k[0].Fingerprint()
}

// Take reads WEIGHBRIDGE_API_KEY or the file that WEIGHBRIDGE_API_KEY_FILE names, one key a line, and removes every
// credential from the environment, so that __ENV in a script never holds one. The token of the account it only masks.
func Take() (Keys, error) {
	text, err := taken("WEIGHBRIDGE_API_KEY")
	token, tokenErr := taken("WEIGHBRIDGE_ACCESS_TOKEN")
	if err != nil {
		return nil, err
	}
	if tokenErr != nil { // whoever reads the account says so
		token = ""
	}
	return NewKeys(strings.Fields(text), token), nil
}

// taken is a credential of the environment, which has it no more, or of the file that it names.
func taken(name string) (string, error) {
	text, path := os.Getenv(name), os.Getenv(name+"_FILE")
	_ = os.Unsetenv(name)
	if text != "" || path == "" {
		return strings.TrimSpace(text), nil
	}
	read, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("%s_FILE: %w", name, err)
	}
	return strings.TrimSpace(string(read)), nil
}

// Drop takes every credential out of the environment and reads none: what is archived or inspected holds no key.
func Drop() {
	for _, name := range Variables {
		_ = os.Unsetenv(name)
	}
}

// Variables hold credentials themselves, not the path of a file.
var Variables = []string{"WEIGHBRIDGE_API_KEY", "WEIGHBRIDGE_ACCESS_TOKEN"}

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

// Prose is a sentence that a target wrote, such as the message of an error, without the key in any form.
func (k Key) Prose(text string) string { return k.without(text, true) }

// Name is a name, a code, an id or a whole body of a target without the key in any form. A short key without the prefix
// stays: it may be a word. Texts of our own pass through neither, or a key like "ok" would break them.
func (k Key) Name(text string) string { return k.without(text, false) }

func (k Key) without(text string, isProse bool) string {
	if k.mask == nil {
		return text
	}
	return k.mask.without(text, isProse)
}
