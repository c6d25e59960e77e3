package wire

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"unicode/utf8"
)

// text counts and hashes the visible text as it comes; the text itself is not kept.
type text struct {
	chars   int
	sum     hash.Hash
	scratch []byte
}

func (t *text) add(tok token) {
	if !tok.nonEmpty() {
		return
	}
	t.scratch = tok.appendTo(t.scratch[:0])
	if t.sum == nil {
		t.sum = sha256.New()
	}
	t.chars += utf8.RuneCount(t.scratch)
	t.sum.Write(t.scratch)
}

// hex is the SHA-256 of the text so far, "" when there is none.
func (t *text) hex() string {
	if t.sum == nil {
		return ""
	}
	return hex.EncodeToString(t.sum.Sum(nil))
}
