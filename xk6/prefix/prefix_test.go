package prefix

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"weighbridge.dev/xk6/ledger"
)

// The corpus was made by a third program: TypeScript is held to it too.
func TestCorpus(t *testing.T) {
	text, err := os.ReadFile("../../test/corpus/prefixes/prefixes.json")
	if err != nil {
		t.Fatal(err)
	}
	var corpus struct {
		Key   string
		Cases []struct {
			Name, Body string
			Prefixes   []ledger.Prefix
		}
	}
	if err := json.Unmarshal(text, &corpus); err != nil {
		t.Fatal(err)
	}
	for _, c := range corpus.Cases {
		t.Run(c.Name, func(t *testing.T) {
			if found := Of(corpus.Key, []byte(c.Body)); !reflect.DeepEqual(found, c.Prefixes) {
				t.Fatalf("expected %v, found %v", c.Prefixes, found)
			}
		})
	}
}

func TestNoKeyNoPrefixes(t *testing.T) {
	if found := Of("", []byte(`{"prompt":"abc"}`)); found != nil {
		t.Fatal(found)
	}
}

func TestAnotherKeyGivesOtherDigests(t *testing.T) {
	body := []byte(`{"prompt":"` + strings.Repeat("abc ", 80) + `"}`)
	one, two := Of("sk-one", body), Of("sk-two", body)
	if len(one) != 1 || len(two) != 1 || one[0].Digest == two[0].Digest {
		t.Fatal(one, two)
	}
}

func BenchmarkOf(b *testing.B) {
	body := []byte(`{"model":"m","messages":[{"role":"user","content":"`)
	for range 500 {
		body = append(body, "a line of text "...)
	}
	body = append(body, `"}]}`...)
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		Of("sk-key", body)
	}
}
