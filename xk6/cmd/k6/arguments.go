package main

import (
	"fmt"
	"slices"
	"strings"

	"weighbridge.dev/xk6/output"
	"weighbridge.dev/xk6/secret"
)

// sending are the commands of k6 that make the calls of a script.
var sending = []string{"run", "cloud"}

// sends reports whether the command makes calls. Archives and inspections make none: they need no key, and must not hold one.
func sends(args []string) bool {
	for _, arg := range args[min(1, len(args)):] {
		switch {
		case slices.Contains(sending, arg):
			return true
		case arg == "archive" || arg == "inspect":
			return false
		}
	}
	return false
}

// refuseSecrets refuses a command line that gives a script a credential: others on the machine can read it there, and an
// archive keeps it. It shows no value.
func refuseSecrets(args []string, headers map[string]string) error {
	hidden := append(secret.HeaderVariables(headers), secret.Variables...)
	for _, arg := range args {
		given := strings.TrimPrefix(strings.TrimPrefix(arg, "--env="), "-e")
		name, _, isGiven := strings.Cut(given, "=")
		if isGiven && slices.Contains(hidden, name) {
			return fmt.Errorf("expected no credential on the command line, found one in %s: others can read it there, and k6 archive keeps it: "+
				"give the path of a file (WEIGHBRIDGE_API_KEY_FILE; file:PATH for a header)", name)
		}
	}
	return nil
}

// withLedger adds the ledger output to a run that has none.
func withLedger(args []string, outputs string) []string {
	at := -1
	for i, arg := range args {
		if i > 0 && arg == "run" {
			at = i
			break
		}
		if i > 0 && !strings.HasPrefix(arg, "-") && !strings.HasPrefix(args[i-1], "-") {
			return args // another command
		}
	}
	if at < 0 || names(outputs) {
		return args
	}
	for i, arg := range args {
		value, joined := strings.CutPrefix(arg, "--out=")
		if joined && names(value) {
			return args
		}
		if (arg == "--out" || arg == "-o") && i+1 < len(args) && names(args[i+1]) {
			return args
		}
		if short, is := strings.CutPrefix(arg, "-o"); is && names(strings.TrimPrefix(short, "=")) {
			return args
		}
	}
	added := append([]string{}, args[:at+1]...)
	return append(append(added, "--out", output.Name), args[at+1:]...)
}

func names(out string) bool { return out == output.Name || strings.HasPrefix(out, output.Name+"=") }
