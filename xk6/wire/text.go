package wire

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"unicode/utf8"
)

// text counts and hashes the visible text as it comes; the text itself is kept only where it is asked for.
type text struct {
	chars   int
	sum     hash.Hash
	waiting []byte // not hashed yet: a few bytes at a time cost more than they need
	keep    bool
	kept    []byte
}

func (t *text) add(tok token) {
	if !tok.nonEmpty() {
		return
	}
	if t.waiting == nil {
		t.waiting = make([]byte, 0, hashAtOnce+hashAtOnce/8)
	}
	before := len(t.waiting)
	t.waiting = tok.appendTo(t.waiting)
	piece := t.waiting[before:]
	t.chars += utf8.RuneCount(piece)
	if t.keep {
		t.kept = append(t.kept, piece...)
	}
	if len(t.waiting) >= hashAtOnce {
		t.hash()
	}
}

// hashAtOnce is about how many bytes wait for the hash.
const hashAtOnce = 512

func (t *text) hash() {
	if t.sum == nil {
		t.sum = sha256.New()
	}
	t.sum.Write(t.waiting)
	t.waiting = t.waiting[:0]
}

// hex is the SHA-256 of the text so far, "" when there is none.
func (t *text) hex() string {
	if len(t.waiting) > 0 {
		t.hash()
	}
	if t.sum == nil {
		return ""
	}
	return hex.EncodeToString(t.sum.Sum(nil))
}
