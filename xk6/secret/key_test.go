package secret

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTakeRemovesCredentialsFromTheEnvironment(t *testing.T) {
	t.Setenv("WEIGHBRIDGE_API_KEY", "sk-abc")
	t.Setenv("WEIGHBRIDGE_ACCESS_TOKEN", "token")
	key, err := Take()
	if err != nil || key.Reveal() != "sk-abc" {
		t.Fatalf("%v, %v", key, err)
	}
	if text := strings.Join(os.Environ(), "\n"); strings.Contains(text, "sk-abc") || strings.Contains(text, "WEIGHBRIDGE_ACCESS_TOKEN") {
		t.Error("a credential is left in the environment")
	}
}

func TestTakeReadsAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(path, []byte("sk-file\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("WEIGHBRIDGE_API_KEY", "")
	t.Setenv("WEIGHBRIDGE_API_KEY_FILE", path)
	if key, err := Take(); err != nil || key.Reveal() != "sk-file" {
		t.Errorf("%v", err)
	}
	t.Setenv("WEIGHBRIDGE_API_KEY_FILE", path+"-missing")
	if _, err := Take(); err == nil {
		t.Error("a missing file must be an error")
	}
}

func TestAKeyNeverPrints(t *testing.T) {
	key := NewKey(`sk-"quoted"`)
	for _, format := range []string{"%v", "%s", "%+v", "%#v", "%q"} {
		if text := fmt.Sprintf(format, key) + fmt.Sprintf(format, struct{ K Key }{key}); strings.Contains(text, "quoted") {
			t.Errorf("%s prints %s", format, text)
		}
	}
	if line := string(key.ScrubLine([]byte(`{"a":"x sk-\"quoted\" y"}`))); line != `{"a":"x [key] y"}` {
		t.Errorf("line %s", line)
	}
	if text := key.Scrub(`x sk-"quoted" y`); text != "x [key] y" {
		t.Errorf("text %s", text)
	}
}

func TestAKeyIsMaskedInItsEncodings(t *testing.T) {
	key := NewKey("sk-~?>~?>secret")
	for _, form := range []string{
		"sk-~?>~?>secret", "c2stfj8+fj8+c2VjcmV0", "c2stfj8-fj8-c2VjcmV0",
		"736b2d7e3f3e7e3f3e736563726574", "736B2D7E3F3E7E3F3E736563726574",
		"sk-~%3F%3E~%3F%3Esecret", "sk-~%3f%3e~%3f%3esecret",
	} {
		if text := key.Scrub("a " + form + " b " + form); text != "a [key] b [key]" {
			t.Errorf("%s: text %s", form, text)
		}
		if line := string(key.ScrubLine([]byte(`{"a":"` + form + `"}`))); line != `{"a":"[key]"}` {
			t.Errorf("%s: line %s", form, line)
		}
	}
	if text := NewKey("sk-a").Scrub("736b2d61 c2stYQ sk-a"); text != "736b2d61 c2stYQ [key]" {
		t.Errorf("a short key masks what stands there by chance: %s", text)
	}
}

func TestFingerprint(t *testing.T) {
	// printf sk-abc | sha256sum
	if found := *NewKey("sk-abc").Fingerprint(); found != "1460db1b6902f8b1" {
		t.Errorf("fingerprint %s", found)
	}
	if (Key{}).Fingerprint() != nil {
		t.Error("no key has no fingerprint")
	}
}

// A target that echoes the key with escapes gives it to whoever reads the JSON.
func TestAKeyWithEscapesIsMaskedInALine(t *testing.T) {
	key := NewKey("sk-te/st-0123456789")
	for text, want := range map[string]string{
		`{"a":"\u0073\u006b-te\/st-0123456789"}`:            `{"a":"[key]"}`,
		`{"a":"\u0073k-te/st-01234\u0035\u0036789 \u00e9"}`: `{"a":"[key] \u00e9"}`,
		`{"a":"\\u0073k-te/st-0123456789"}`:                 `{"a":"\\u0073k-te/st-0123456789"}`,
		`{"a":"\u0022\u005c\u000a\u00"}`:                    `{"a":"\u0022\u005c\u000a\u00"}`,
		`{"a":"\u0073ome\/thing"}`:                          `{"a":"\u0073ome\/thing"}`,
		`{"a":"\`:                                           `{"a":"\`,
	} {
		if got := string(key.ScrubLine([]byte(text))); got != want {
			t.Errorf("%s: expected %s, found %s", text, want, got)
		}
	}
}
