package transport

import (
	"fmt"
	"net/url"
	"os"
	"strings"
)

// CheckProxies refuses a proxy address that Go could not use, before a call meets it: the error that Go gives then
// repeats the address with its password.
func CheckProxies() error {
	for _, name := range []string{"HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"} {
		if text := os.Getenv(name); text != "" && !usable(text) {
			return fmt.Errorf("%s: expected an http, https or socks5 URL or host:port, found something else", name)
		}
	}
	return nil
}

func usable(text string) bool {
	if !strings.Contains(text, "://") {
		text = "http://" + text
	}
	parsed, err := url.Parse(text)
	if err != nil || parsed.Hostname() == "" {
		return false
	}
	switch parsed.Scheme {
	case "http", "https", "socks5", "socks5h":
		return true
	default:
		return false
	}
}
