package secret

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// Few letters make near misses and pairs that hash alike; every answer must be that of a plain search.
func TestTheFinderSeesWhatAPlainSearchSees(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	text := func(length int) string {
		letters := make([]byte, length)
		for i := range letters {
			letters[i] = "abA\x01\xff"[random.IntN(5)]
		}
		return string(letters)
	}
	found := 0
	for range 20_000 {
		texts := make([]string, 1+random.IntN(3))
		for i := range texts {
			texts[i] = text(leastWindow + random.IntN(8))
		}
		where := text(random.IntN(60))
		want := slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(where, text) })
		f := newFinder(texts)
		if isIn(f, where) != want || isIn(f, []byte(where)) != want {
			t.Fatalf("%q in %q: want %t", texts, where, want)
		}
		if want {
			found++
		}
	}
	if found < 1000 || found > 19_000 {
		t.Errorf("%d of 20,000 found: the test asks too little", found)
	}
}

func TestTheFinderSeesALongTextAtEveryPlace(t *testing.T) {
	long := strings.Repeat("0123456789abcdef", 20)
	f := newFinder([]string{long, strings.ToUpper(long) + "X"})
	for at := range 300 {
		where := strings.Repeat("-", at) + long + strings.Repeat("-", 300-at)
		if !isIn(f, where) || isIn(f, where[:at+len(long)-1]) {
			t.Fatalf("at %d", at)
		}
	}
}

func BenchmarkScrubLine(b *testing.B) {
	key := NewKey("sk-bench-0123456789abcdef")
	line := []byte(strings.Repeat(`"prompt_tokens":512,"started_at":"2026-01-01T00:00:00.000Z",`, 20))
	for b.Loop() {
		key.ScrubLine(line)
	}
}
