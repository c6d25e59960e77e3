package secret

import (
	"fmt"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
)

// shortestSecret: shorter values are words that stand in answers by chance.
const shortestSecret = 8

var (
	visible = regexp.MustCompile(`^[\x20-\x7e]+$`)
	scheme  = regexp.MustCompile(`(?i)^(?:bearer|basic|token)\s+`)
)

// Headers reads the headers of a plan: texts, env:NAME and file:PATH. A variable is taken out of the environment, so that
// __ENV in a script never holds it. The keys that are returned mask what was read as well. Errors show no value.
func Headers(references map[string]string, keys Keys) (http.Header, Keys, error) {
	header, others := make(http.Header, len(references)), []string(nil)
	for _, name := range slices.Sorted(maps.Keys(references)) {
		value := references[name]
		if variable, is := strings.CutPrefix(value, "env:"); is {
			value = os.Getenv(variable)
		} else if path, is := strings.CutPrefix(value, "file:"); is {
			text, err := os.ReadFile(path)
			if err != nil {
				return nil, keys, fmt.Errorf("plan: target.headers.%s: %w", name, err)
			}
			value = string(text)
		}
		if value = strings.TrimRight(value, "\r\n"); !visible.MatchString(value) {
			return nil, keys, fmt.Errorf("plan: target.headers.%s: expected one line of visible ASCII (%s)", name, whence(references[name]))
		}
		header.Set(name, value)
		if isReference(references[name]) && len(value) >= shortestSecret {
			others = append(others, scheme.ReplaceAllString(value, ""))
		}
	}
	DropHeaders(references) // at the end: two may name one variable
	return header, keys.masking(others...), nil
}

// DropHeaders takes the variables that the headers of a plan name out of the environment, and reads none.
func DropHeaders(references map[string]string) {
	for _, name := range HeaderVariables(references) {
		_ = os.Unsetenv(name)
	}
}

// HeaderVariables are the variables that the headers of a plan name.
func HeaderVariables(references map[string]string) []string {
	var names []string
	for _, value := range references {
		if name, is := strings.CutPrefix(value, "env:"); is {
			names = append(names, name)
		}
	}
	return names
}

// HiddenHeaders names, in canonical form, the headers of a plan whose values are secrets.
func HiddenHeaders(references map[string]string) []string {
	var names []string
	for name, value := range references {
		if isReference(value) {
			names = append(names, http.CanonicalHeaderKey(name))
		}
	}
	return names
}

func isReference(value string) bool {
	return strings.HasPrefix(value, "env:") || strings.HasPrefix(value, "file:")
}

// whence is where a value comes from; a text of the plan is not repeated.
func whence(reference string) string {
	if isReference(reference) {
		return "from " + reference
	}
	return "in the plan"
}
