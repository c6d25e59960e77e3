// Package weighbridge registers the whole extension with k6: the JavaScript module, the executor of planned starts and the
// output of ledgers. A builder such as xk6 links this package, and nothing else of the module by name.
package weighbridge

import (
	_ "weighbridge.dev/xk6/arrivals"
	"weighbridge.dev/xk6/load"
	_ "weighbridge.dev/xk6/module"
	_ "weighbridge.dev/xk6/output"
)

// Takes the keys out of the environment before k6 copies it for scripts: a builder's main calls nothing of ours. Whatever is
// wrong with the settings is told when a script or an output asks for the run.
func init() { _, _ = load.Current() }
