// Package prefix names the beginnings of a prompt by keyed digests, so that an audit can tell which calls began alike
// without a word of what they said. src/wire/prompt-prefixes.ts gives the same.
package prefix

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"

	"weighbridge.dev/xk6/ledger"
)

const (
	// label keeps the digests apart from all else that is made of a key.
	label = "weighbridge.prefix/1"
	// leastBytes: no cache holds less.
	leastBytes = 256
	// firstRung is where the edges inside a long message begin.
	firstRung = 1024
	// A row keeps so many edges: those that many calls share, and those at which a conversation goes on.
	mostFirst, mostLast = 16, 32
	shownBytes          = 8
)

// Of are the beginnings of the prompt in a request body, the shortest first; nil for a body without one, and
// without an API key. Edges are the ends of tools, of the system's text and of messages, and rungs at 1024, 1536, 2048, 3072 … bytes.
func Of(key string, body []byte) []ledger.Prefix {
	if key == "" {
		return nil
	}
	units := unitsOf(body)
	if units == nil {
		return nil
	}
	own := hmac.New(sha256.New, []byte(key))
	own.Write([]byte(label))
	mac := hmac.New(sha256.New, own.Sum(nil))
	edges, chain, total := []ledger.Prefix{}, make([]byte, sha256.Size), 0
	for _, unit := range units {
		for len(unit) > 0 {
			part := unit[:min(len(unit), rungAfter(total)-total)]
			unit, total = unit[len(part):], total+len(part)
			mac.Reset()
			mac.Write(chain)
			mac.Write(part)
			chain = mac.Sum(chain[:0])
			if total >= leastBytes {
				edges = append(edges, ledger.Prefix{Bytes: int64(total), Digest: hex.EncodeToString(chain[:shownBytes])})
			}
		}
	}
	if len(edges) > mostFirst+mostLast {
		edges = append(edges[:mostFirst], edges[len(edges)-mostLast:]...)
	}
	return edges
}

// rungAfter is the next of 1024, 1536, 2048, 3072, 4096 … beyond so many bytes.
func rungAfter(bytes int) int {
	rung := firstRung
	for rung <= bytes {
		if half := rung + rung/2; half > bytes {
			return half
		}
		rung *= 2
	}
	return rung
}
