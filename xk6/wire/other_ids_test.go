package wire

import (
	"encoding/json"
	"maps"
	"net/http"
	"os"
	"testing"

	"weighbridge.dev/xk6/secret"
)

// The same answers as TypeScript's.
func TestOtherIDsOfTheCorpus(t *testing.T) {
	file, err := os.ReadFile("../../test/corpus/request-ids/other-ids.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Name    string            `json:"name"`
		Headers [][2]string       `json:"headers"`
		Body    string            `json:"body"`
		Known   []string          `json:"known"`
		Kept    map[string]string `json:"kept"`
	}
	if err := json.Unmarshal(file, &cases); err != nil || len(cases) < 16 {
		t.Fatalf("%d cases, %v", len(cases), err)
	}
	key := secret.NewKey("", "sk-abcdefghijklmnop1234")
	for _, c := range cases {
		header := http.Header{}
		for _, pair := range c.Headers {
			header.Add(pair[0], pair[1])
		}
		if kept := OtherIDs(header, []byte(c.Body), c.Known, key.Name); !maps.Equal(kept, c.Kept) {
			t.Errorf("%s: expected %v, found %v", c.Name, c.Kept, kept)
		}
	}
}
