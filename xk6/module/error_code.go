package module

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"strings"
	"syscall"

	"go.k6.io/k6/v2/lib/netext"

	"weighbridge.dev/xk6/outcome"
)

// errorCode is a value of k6's tag error_code, with a text for the tag error that holds no address: k6's own texts
// for the rarer codes have the local port in them, which makes a series for each failure.
type errorCode struct {
	number int
	text   string
}

var (
	codeOther            = errorCode{1000, "request failed"}
	codeTimeout          = errorCode{1050, "request timeout"}
	codeDNS              = errorCode{1100, "lookup failed"}
	codeNoSuchHost       = errorCode{1101, "lookup: no such host"}
	codeBlacklisted      = errorCode{1110, "ip is blacklisted"}
	codeBlocked          = errorCode{1111, "hostname is blocked"}
	codeTCP              = errorCode{1200, "tcp error"}
	codeBrokenPipe       = errorCode{1201, "broken pipe"}
	codeDial             = errorCode{1210, "dial failed"}
	codeDialTimeout      = errorCode{1211, "dial: i/o timeout"}
	codeRefused          = errorCode{1212, "dial: connection refused"}
	codeReset            = errorCode{1220, "connection reset by peer"}
	codeTLSHeader        = errorCode{1301, "tls: not a TLS handshake"}
	codeUnknownAuthority = errorCode{1310, "x509: unknown authority"}
	codeHostname         = errorCode{1311, "x509: certificate doesn't match hostname"}
)

// First codes of HTTP/2's errors; the error's own code plus one is added where it is one of HTTP/2's.
var http2Codes = []struct {
	prefix string
	first  errorCode
}{
	{"http2: server sent GOAWAY", errorCode{1610, "http2: GOAWAY"}},
	{"stream error: ", errorCode{1630, "http2: stream error"}},
	{"connection error: ", errorCode{1650, "http2: connection error"}},
}

var http2Names = []string{
	"NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED",
	"FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM",
	"INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
}

// errorCodeOf is k6's code of a failed exchange; a timeout of ours counts as k6's own would.
func errorCodeOf(o outcome.Outcome, err error) errorCode {
	switch o {
	case outcome.TimeoutConnect:
		return codeDialTimeout
	case outcome.TimeoutHeaders, outcome.TimeoutFirstToken, outcome.TimeoutIdle, outcome.TimeoutTotal, outcome.TimeoutTask:
		return codeTimeout
	}
	var dns *net.DNSError
	var blacklisted netext.BlackListedIPError
	var blocked netext.BlockedHostError
	var authority x509.UnknownAuthorityError
	var host x509.HostnameError
	var record tls.RecordHeaderError
	var network net.Error
	var op *net.OpError
	switch {
	case errors.As(err, &dns) && dns.IsNotFound, strings.Contains(err.Error(), "no such host"):
		return codeNoSuchHost
	case dns != nil:
		return codeDNS
	case errors.As(err, &blacklisted):
		return codeBlacklisted
	case errors.As(err, &blocked):
		return codeBlocked
	case errors.As(err, &authority):
		return codeUnknownAuthority
	case errors.As(err, &host):
		return codeHostname
	case errors.As(err, &record):
		return codeTLSHeader
	case errors.Is(err, syscall.ECONNREFUSED):
		return codeRefused
	case errors.Is(err, syscall.ECONNRESET):
		return codeReset
	case errors.Is(err, syscall.EPIPE):
		return codeBrokenPipe
	}
	dialing := errors.As(err, &op) && op.Op == "dial"
	switch timedOut := errors.As(err, &network) && network.Timeout(); {
	case timedOut && dialing:
		return codeDialTimeout
	case timedOut:
		return codeTimeout
	case dialing:
		return codeDial
	case op != nil:
		return codeTCP
	}
	return http2Code(err.Error())
}

func http2Code(text string) errorCode {
	for _, kind := range http2Codes {
		if !strings.HasPrefix(text, kind.prefix) {
			continue
		}
		code := kind.first
		for i, name := range http2Names {
			if strings.Contains(text, name) {
				code.number += 1 + i
				code.text += " " + name
				break
			}
		}
		return code
	}
	return codeOther
}
