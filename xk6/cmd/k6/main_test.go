package main

import (
	"strings"
	"testing"
)

func TestARunWithoutALedgerGetsOne(t *testing.T) {
	cases := []struct{ args, outputs, want string }{
		{"k6 run s.ts", "", "k6 run --out weighbridge s.ts"},
		{"k6 --verbose run --quiet s.ts", "", "k6 --verbose run --out weighbridge --quiet s.ts"},
		{"k6 run --out json=x s.ts", "", "k6 run --out weighbridge --out json=x s.ts"},
		{"k6 run --out weighbridge=d s.ts", "", ""},
		{"k6 run --out=weighbridge s.ts", "", ""},
		{"k6 run -o weighbridge=d s.ts", "", ""},
		{"k6 run -oweighbridge=d s.ts", "", ""},
		{"k6 run --out weighbridges=d s.ts", "", "k6 run --out weighbridge --out weighbridges=d s.ts"},
		{"k6 run s.ts", "weighbridge=d", ""},
		{"k6 version", "", ""},
		{"k6 inspect run", "", ""},
		{"k6", "", ""},
	}
	for _, c := range cases {
		want := c.want
		if want == "" {
			want = c.args
		}
		if found := strings.Join(withLedger(strings.Fields(c.args), c.outputs), " "); found != want {
			t.Errorf("%s (K6_OUT=%s): want %s, found %s", c.args, c.outputs, want, found)
		}
	}
}
