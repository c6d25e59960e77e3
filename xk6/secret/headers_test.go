package secret

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestHeadersComeFromThePlanTheEnvironmentAndFiles(t *testing.T) {
	t.Setenv("WB_TEST_HEADER", "Bearer planted-secret-1")
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte("planted-secret-2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	references := map[string]string{
		"authorization": "env:WB_TEST_HEADER", "x-file": "file:" + file, "x-tenant": "plain-and-public", "x-again": "env:WB_TEST_HEADER",
	}
	header, keys, err := Headers(references, NewKeys([]string{"sk-planted-key-000"}, "planted-token-0000"))
	if err != nil {
		t.Fatal(err)
	}
	if header.Get("Authorization") != "Bearer planted-secret-1" || header.Get("X-Again") != "Bearer planted-secret-1" ||
		header.Get("X-File") != "planted-secret-2" || header.Get("X-Tenant") != "plain-and-public" {
		t.Errorf("%v", header)
	}
	if _, held := os.LookupEnv("WB_TEST_HEADER"); held {
		t.Error("a script could read the variable")
	}
	said := keys.First().Prose("planted-secret-1 planted-secret-2 sk-planted-key-000 planted-token-0000 plain-and-public")
	if strings.Contains(said, "planted-") || !strings.Contains(said, "plain-and-public") {
		t.Error(said)
	}
	hidden := HiddenHeaders(references)
	if slices.Sort(hidden); !slices.Equal(hidden, []string{"Authorization", "X-Again", "X-File"}) {
		t.Error(hidden)
	}
}

func TestAHeaderWithoutAValueIsNamedAndNotShown(t *testing.T) {
	t.Setenv("WB_TEST_HEADER", "planted\nsecret")
	for reference, want := range map[string]string{
		"env:WB_TEST_HEADER": "from env:WB_TEST_HEADER", "env:WB_TEST_NONE": "from env:WB_TEST_NONE",
		"file:/none/there": "no such file", "planted\x01": "in the plan",
	} {
		_, _, err := Headers(map[string]string{"x-a": reference}, nil)
		if err == nil || !strings.Contains(err.Error(), "target.headers.x-a") || !strings.Contains(err.Error(), want) ||
			strings.Contains(err.Error(), "planted") {
			t.Errorf("%s: %v", reference, err)
		}
	}
}
