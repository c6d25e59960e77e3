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

func TestOnlyWhatSendsCallsNeedsAKey(t *testing.T) {
	for args, want := range map[string]bool{
		"k6 run s.ts": true, "k6 --quiet run s.ts": true, "k6 cloud run --local-execution s.ts": true,
		"k6 archive run.ts": false, "k6 archive -O run s.ts": false, "k6 inspect --execution-requirements s.tar": false, "k6 version": false, "k6": false,
	} {
		if found := sends(strings.Fields(args)); found != want {
			t.Errorf("%s: %v", args, found)
		}
	}
}

func TestACredentialOnTheCommandLineIsRefusedWithoutShowingIt(t *testing.T) {
	headers := map[string]string{"x-tenant": "env:TENANT"}
	for args, name := range map[string]string{
		"k6 archive s.ts -e WEIGHBRIDGE_API_KEY=sk-secret -O a.tar":        "WEIGHBRIDGE_API_KEY",
		"k6 run --env WEIGHBRIDGE_ACCESS_TOKEN=sk-secret s.ts":             "WEIGHBRIDGE_ACCESS_TOKEN",
		"k6 run --env=WEIGHBRIDGE_API_KEY=sk-secret s.ts":                  "WEIGHBRIDGE_API_KEY",
		"k6 run -eTENANT=sk-secret s.ts":                                   "TENANT",
		"k6 run -e WEIGHBRIDGE_API_KEY_FILE=/keys/key -e MY_TENANT=x s.ts": "",
		"k6 run -e WEIGHBRIDGE_API_KEY s.ts":                               "",
	} {
		err := refuseSecrets(strings.Fields(args), headers)
		if (err != nil) != (name != "") {
			t.Errorf("%s: %v", args, err)
		} else if err != nil && (!strings.Contains(err.Error(), "in "+name+":") || strings.Contains(err.Error(), "sk-secret")) {
			t.Error(err)
		}
	}
}
