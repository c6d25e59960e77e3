package transport

import (
	"crypto/x509"
	"encoding/pem"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func clearEnvironment(t *testing.T) {
	for _, name := range append([]string{"HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"}, CAVariables...) {
		t.Setenv(name, "")
	}
}

func TestRootsHoldTheCertificatesOfEachVariable(t *testing.T) {
	clearEnvironment(t)
	if pool, err := Roots(); pool != nil || err != nil {
		t.Fatalf("without a variable Go's own roots apply, found %v, %v", pool, err)
	}
	server := httptest.NewTLSServer(nil)
	defer server.Close()
	path := filepath.Join(t.TempDir(), "ca.pem")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range CAVariables {
		t.Run(name, func(t *testing.T) {
			clearEnvironment(t)
			t.Setenv(name, path)
			pool, err := Roots()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := server.Certificate().Verify(x509.VerifyOptions{Roots: pool}); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestAnUnusableCAFileIsRefused(t *testing.T) {
	clearEnvironment(t)
	path := filepath.Join(t.TempDir(), "empty.pem")
	if err := os.WriteFile(path, []byte("no certificate"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{path, path + "-missing"} {
		t.Setenv("WEIGHBRIDGE_CA_FILE", path)
		if _, err := Roots(); err == nil || !strings.HasPrefix(err.Error(), "WEIGHBRIDGE_CA_FILE: ") {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestAnUnusableProxyIsRefusedWithoutItsPassword(t *testing.T) {
	for text, usable := range map[string]bool{
		"http://proxy.example:3128": true, "proxy.example:3128": true, "https://u:p@proxy.example": true,
		"socks5://proxy.example": true, "http://user:secret@%zz:1": false, "ftp://user:secret@proxy.example": false,
		"http://user:secret@": false,
	} {
		clearEnvironment(t)
		t.Setenv("https_proxy", text)
		err := CheckProxies()
		if (err == nil) != usable {
			t.Errorf("%s: %v", text, err)
		}
		if err != nil && (strings.Contains(err.Error(), "secret") || !strings.HasPrefix(err.Error(), "https_proxy: ")) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
