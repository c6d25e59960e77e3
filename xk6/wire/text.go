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

// expect makes room for a text that comes in few pieces.
func (t *text) expect(length int) {
	if t.waiting == nil && length > 0 {
		t.waiting = make([]byte, 0, length)
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
	var sum [sha256.Size]byte
	switch {
	case t.sum == nil && len(t.waiting) == 0:
		return ""
	case t.sum == nil: // a short text
		sum = sha256.Sum256(t.waiting)
	default:
		t.hash()
		t.sum.Sum(sum[:0])
	}
	return string(hex.AppendEncode(make([]byte, 0, 2*sha256.Size), sum[:]))
}
