package trace

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func write(t *testing.T, text string) (path, sum string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "trace.ndjson")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	digest := sha256.Sum256([]byte(text))
	return path, hex.EncodeToString(digest[:])
}

const lines = `{"scenario":"a","kind":"chat","model":null,"at_us":0,"prompt_bytes":100,"max_tokens":7,"stream":true}
{"scenario":"b","at_us":250,"prompt_bytes":null,"max_tokens":null,"stream":null}
{"scenario":"a","at_us":1500,"prompt_bytes":0,"max_tokens":0,"stream":false}
`

func TestRead(t *testing.T) {
	starts, err := Read(write(t, lines))
	if err != nil {
		t.Fatal(err)
	}
	a, b := starts["a"], starts["b"]
	if len(starts) != 2 || a.Count() != 2 || b.Count() != 1 || a.At(1) != 1500*time.Microsecond {
		t.Fatalf("read as %+v", starts)
	}
	first, _ := a.Sizes(0)
	if *first.PromptBytes != 100 || *first.MaxTokens != 7 || !*first.Stream {
		t.Errorf("first: %+v", first)
	}
	second, _ := a.Sizes(1)
	if *second.PromptBytes != 0 || *second.MaxTokens != 0 || *second.Stream {
		t.Errorf("0 and false are values: %+v", second)
	}
	if open, known := b.Sizes(0); !known || open.PromptBytes != nil || open.MaxTokens != nil || open.Stream != nil {
		t.Errorf("null is as the scenario says: %+v", open)
	}
	if _, known := b.Sizes(1); known {
		t.Error("a start beyond the last has sizes")
	}
}

func TestAnotherFileThanThePlansIsRefused(t *testing.T) {
	path, _ := write(t, lines)
	_, sum := write(t, lines+"\n")
	if _, err := Read(path, sum); err == nil || !strings.Contains(err.Error(), "SHA-256") {
		t.Errorf("found %v", err)
	}
}

func TestMalformedLines(t *testing.T) {
	for name, text := range map[string]string{
		"scenario": `{"at_us":1}`, "at_us": `{"scenario":"a"}`, "at_us: expected whole": `{"scenario":"a","at_us":-1}`,
		"fraction": `{"scenario":"a","at_us":1.5}`, "unknown field": `{"scenario":"a","at_us":1,"size":"m"}`,
		"prompt_bytes": `{"scenario":"a","at_us":1,"prompt_bytes":-1}`, "max_tokens": `{"scenario":"a","at_us":1,"max_tokens":-2}`,
		"expected 2000 or more": "{\"scenario\":\"a\",\"at_us\":2000}\n{\"scenario\":\"a\",\"at_us\":1999}", "EOF": "\n",
	} {
		_, err := Read(write(t, text))
		if err == nil || !strings.Contains(err.Error(), "line ") || name != "fraction" && !strings.Contains(err.Error(), name) {
			t.Errorf("%s: found %v", name, err)
		}
	}
}
