package version

import (
	"encoding/json"
	"os"
	"testing"
)

func TestTheVersionIsThePackages(t *testing.T) {
	text, err := os.ReadFile("../../package.json")
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct {
		Version string `json:"version"`
	}
	if err := json.Unmarshal(text, &manifest); err != nil || manifest.Version != Weighbridge {
		t.Errorf("package.json says %s, the extension %s (%v)", manifest.Version, Weighbridge, err)
	}
}
