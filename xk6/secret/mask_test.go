package secret

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"html"
	"math/rand/v2"
	"net/url"
	"os"
	"strings"
	"testing"
)

// The same texts as TypeScript's.
func TestNothingOfASecretIsLeftOfTheCorpus(t *testing.T) {
	file, err := os.ReadFile("../../test/corpus/secrets/masked.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Name    string   `json:"name"`
		Secrets []string `json:"secrets"`
		Text    string   `json:"text"`
		Prose   string   `json:"prose"`
		InName  string   `json:"in_name"`
	}
	if err := json.Unmarshal(file, &cases); err != nil || len(cases) < 700 {
		t.Fatalf("%d cases, %v", len(cases), err)
	}
	for _, c := range cases {
		key := NewKey("", c.Secrets...)
		if text := key.Prose(c.Text); text != c.Prose {
			t.Errorf("%s: expected %q, found %q", c.Name, c.Prose, text)
		}
		if text := key.Name(c.Text); text != c.InName {
			t.Errorf("%s, in a name: expected %q, found %q", c.Name, c.InName, text)
		}
	}
}

func inJSON(text string) string {
	quoted, _ := json.Marshal(text)
	return string(quoted[1 : len(quoted)-1])
}

var ways = map[string]func(string) string{
	"as it is":  func(text string) string { return text },
	"JSON":      inJSON,
	"URL":       url.QueryEscape,
	"path":      url.PathEscape,
	"HTML":      html.EscapeString,
	"hex":       func(text string) string { return hex.EncodeToString([]byte(text)) },
	"large hex": func(text string) string { return strings.ToUpper(hex.EncodeToString([]byte(text))) },
	"base64":    func(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) },
	"base64url": func(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) },
}

// Whatever the key, and in whatever texts within texts: no form of it is left, and the words beside it are.
func TestNoFormOfAKeyIsLeft(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2_000 {
		core := make([]byte, 12+random.IntN(40))
		for i := range core {
			core[i] = byte(0x21 + random.IntN(0x7f-0x21))
		}
		key := NewKey("sk-" + string(core))
		for name, encode := range ways {
			text := encode(key.Reveal())
			for _, escape := range []string{"JSON", "HTML", "URL"}[:random.IntN(4)] {
				text = ways[escape](text)
			}
			clean := key.Name("before " + text + " after")
			if !strings.Contains(clean, masked) || strings.Contains(clean, text) ||
				!strings.HasPrefix(clean, "before [") || !strings.HasSuffix(clean, " after") {
				t.Fatalf("%s of %q: %q", name, key.Reveal(), clean)
			}
		}
	}
}

func TestATextMadeToBeSlowIsRead(t *testing.T) {
	key := NewKey(`sk-\\\\""//&&&&%%%%`)
	for _, part := range []string{`\`, "%25", "&amp;", "&#", "%7", "&#0000", `\u0`, "sk-", "A"} {
		key.Name(strings.Repeat(part, 1<<16)) // the test's own time limit is the bound
	}
}

func BenchmarkName(b *testing.B) {
	key := NewKey("sk-bench-0123456789abcdef", "token-0123456789abcdef")
	for b.Loop() {
		key.Name("req_0123456789ABCDEF0123456789")
	}
}
