package module

import (
	"testing"

	"weighbridge.dev/xk6/load"
)

func TestEachExportedNameHasAMember(t *testing.T) {
	i := &instance{run: &load.Run{}}
	for _, name := range exportedNames {
		if i.member(name) == nil {
			t.Errorf("%s is named and not there", name)
		}
	}
	if i.member("toString") != nil {
		t.Error("what is not named is there")
	}
}
