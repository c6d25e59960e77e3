package transport

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
)

const askedVariable = "TEST_PROXY_URLS"

// TestMain answers for a child of TestTheRulesAreThoseOfGo: Go reads the variables once in a process.
func TestMain(m *testing.M) {
	urls := os.Getenv(askedVariable)
	if urls == "" {
		os.Exit(m.Run())
	}
	for _, text := range strings.Fields(urls) {
		req, err := http.NewRequest(http.MethodGet, text, nil)
		if err != nil {
			fmt.Println(err)
			continue
		}
		proxy, err := http.ProxyFromEnvironment(req)
		fmt.Println(proxy != nil, err)
	}
}

// The cases of test/corpus, which src/client/proxy-of.ts holds too, are what k6 does.
func TestTheRulesAreThoseOfGo(t *testing.T) {
	text, err := os.ReadFile("../../test/corpus/proxy-rules.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		URL     string `json:"url"`
		Except  string `json:"except"`
		Proxied bool   `json:"proxied"`
	}
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	urls, want := map[string]string{}, map[string]string{}
	for _, c := range cases {
		urls[c.Except] += " " + c.URL
		want[c.Except] += fmt.Sprintln(c.Proxied, nil)
	}
	for except, asked := range urls {
		child := exec.Command(os.Args[0])
		// Else each process with the race detector sleeps for a second before it ends.
		child.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0",
			askedVariable+"="+asked, "NO_PROXY="+except, "REQUEST_METHOD=",
			"HTTP_PROXY=http://proxy.example:3128", "HTTPS_PROXY=http://proxy.example:3128")
		found, err := child.CombinedOutput()
		if err != nil || string(found) != want[except] {
			t.Errorf("except %q, of%s: %v\nwant\n%sfound\n%s", except, asked, err, want[except], found)
		}
	}
}
