// Command k6 is k6 with the weighbridge extension: JS module, arrival executor and ledger output.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"go.k6.io/k6/v2/cmd"

	_ "weighbridge.dev/xk6/arrivals"
	"weighbridge.dev/xk6/load"
	_ "weighbridge.dev/xk6/module"
	"weighbridge.dev/xk6/pace"
)

// unlessSet are settings of k6 that hold where the environment says nothing else.
var unlessSet = map[string]string{
	// Nothing of a run may leave this machine but its calls to the target, and metrics to where they were asked for.
	"K6_AUTO_EXTENSION_RESOLUTION": "false",
	"K6_NO_USAGE_REPORT":           "true",
	// The dashboards read native histograms, and a series that is marked as over ends with its run, not minutes later.
	"K6_FEATURES":                    "native-histograms",
	"K6_PROMETHEUS_RW_STALE_MARKERS": "true",
}

func main() {
	// The older name of the feature: k6 still reads it, and whoever set it false means the feature.
	if _, set := os.LookupEnv("K6_PROMETHEUS_RW_TREND_AS_NATIVE_HISTOGRAM"); set {
		delete(unlessSet, "K6_FEATURES")
	}
	for name, value := range unlessSet {
		if _, set := os.LookupEnv(name); !set {
			_ = os.Setenv(name, value)
		}
	}
	if path := os.Getenv("WEIGHBRIDGE_PLAN"); path != "" {
		if absolute, err := filepath.Abs(path); err == nil { // k6 resolves paths from the script's folder
			_ = os.Setenv("WEIGHBRIDGE_PLAN", absolute)
		}
	}
	run, err := load.CurrentOf(sends(os.Args)) // before k6 copies the environment: the key is taken out of it
	if err != nil {
		refuse(err)
	}
	var headers map[string]string
	if run.Plan != nil {
		headers = run.Plan.Headers
	}
	if err := refuseSecrets(os.Args, headers); err != nil {
		refuse(err)
	}
	if run.Plan != nil && run.Plan.Workload.HTTP.ForbidsHTTP2() {
		_ = os.Setenv("GODEBUG", strings.TrimPrefix(os.Getenv("GODEBUG")+",http2client=0", ",")) // k6's own switch
	}
	run.DrainOnSignal()
	run.DrainWhenOrphaned()
	pace.Start()
	os.Args = withLedger(os.Args, os.Getenv("K6_OUT"))
	cmd.Execute()
}

func refuse(err error) {
	fmt.Fprintln(os.Stderr, "weighbridge:", err)
	os.Exit(104) // k6's code for an invalid configuration
}
