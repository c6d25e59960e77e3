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
	keys, err := Take()
	if err != nil || len(keys) != 1 || keys.First().Reveal() != "sk-abc" {
		t.Fatalf("%v, %v", keys, err)
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
	if keys, err := Take(); err != nil || keys.First().Reveal() != "sk-file" {
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
}

func TestTheTokenOfTheAccountIsMaskedToo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(path, []byte("token-of-the-account\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("WEIGHBRIDGE_API_KEY", "sk-of-the-calls-0123")
	t.Setenv("WEIGHBRIDGE_ACCESS_TOKEN", "")
	t.Setenv("WEIGHBRIDGE_ACCESS_TOKEN_FILE", path)
	keys, err := Take()
	if err != nil {
		t.Fatal(err)
	}
	if text := keys.First().Name("token-of-the-account sk-of-the-calls-0123"); text != "[key] [key]" {
		t.Error(text)
	}
	t.Setenv("WEIGHBRIDGE_ACCESS_TOKEN_FILE", path+"-missing")
	if keys, err = Take(); err != nil || keys.First().Present() {
		t.Errorf("the key is gone from the environment, and a token is for others to miss: %v", err)
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

func TestKeysAreTakenByTurnsAndMaskOneAnother(t *testing.T) {
	t.Setenv("WEIGHBRIDGE_API_KEY", "sk-first-0123456789\nsk-second-0123456789\n")
	keys, err := Take()
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range []string{"sk-first-0123456789", "sk-second-0123456789", "sk-first-0123456789"} {
		start := int64(n)
		if found := keys.Of(&start); found.Reveal() != want {
			t.Errorf("start %d has the key %d", n, n%2)
		}
	}
	for _, key := range append(keys, keys.Of(nil)) {
		if text := key.Name("sk-first-0123456789 sk-second-0123456789"); text != "[key] [key]" {
			t.Error(text)
		}
	}
	if keys.Fingerprint() != nil {
		t.Error("several keys have no one fingerprint")
	}
}

func TestWhereNothingIsSentNoCredentialIsReadOrLeft(t *testing.T) {
	t.Setenv("WEIGHBRIDGE_API_KEY", "sk-abc")
	t.Setenv("WEIGHBRIDGE_ACCESS_TOKEN", "token")
	t.Setenv("GATEWAY_TENANT", "sk-def")
	Drop()
	DropHeaders(map[string]string{"x-tenant": "env:GATEWAY_TENANT", "x-plain": "text", "x-file": "file:/no/such"})
	if text := strings.Join(os.Environ(), "\n"); strings.Contains(text, "sk-abc") || strings.Contains(text, "token") || strings.Contains(text, "sk-def") {
		t.Error("a credential is left in the environment")
	}
}
