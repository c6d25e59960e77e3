// Package version holds the version of the extension, equal to package.json's.
package version

import "runtime/debug"

// Weighbridge is the version of this extension.
const Weighbridge = "0.1.0"

// K6 is the version of the k6 linked into this binary.
func K6() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, module := range info.Deps {
		if module.Path == "go.k6.io/k6/v2" {
			return module.Version
		}
	}
	return "unknown"
}
