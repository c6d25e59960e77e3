package call

import (
	"os"
	"regexp"
	"testing"
)

func TestPaidKindsAreThoseOfTheContract(t *testing.T) {
	source, err := os.ReadFile("../../src/core/call-kind.ts")
	if err != nil {
		t.Fatal(err)
	}
	list := regexp.MustCompile(`PAID_KINDS = \[([^\]]*)\]`).FindSubmatch(source)
	if list == nil {
		t.Fatal("no PAID_KINDS")
	}
	names := regexp.MustCompile(`'(\w+)'`).FindAllSubmatch(list[1], -1)
	for _, name := range names {
		if !Paid(string(name[1])) {
			t.Errorf("%s is paid", name[1])
		}
	}
	if len(names) != len(paidKinds) {
		t.Errorf("want %d paid kinds, found %d", len(names), len(paidKinds))
	}
}
