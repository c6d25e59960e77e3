// Package transport is what stands between a call and the network: trusted roots, proxies, debug output.
// It knows nothing of k6.
package transport

import (
	"crypto/x509"
	"fmt"
	"os"
)

// CAVariables name files of certificates that are trusted beside the system's; src/client/trusted-roots.ts has the same.
var CAVariables = []string{"WEIGHBRIDGE_CA_FILE", "NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"}

// Roots are the system's roots with those of the named files, or nil where no variable is set: then Go's own apply.
func Roots() (*x509.CertPool, error) {
	var pool *x509.CertPool
	for _, name := range CAVariables {
		path := os.Getenv(name)
		if path == "" {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if pool == nil {
			if pool, err = x509.SystemCertPool(); err != nil {
				pool = x509.NewCertPool()
			}
		}
		if !pool.AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("%s: expected certificates in PEM form in %s, found none", name, path)
		}
	}
	return pool, nil
}
