package module

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"syscall"
	"testing"

	"go.k6.io/k6/v2/lib/netext"

	"weighbridge.dev/xk6/outcome"
)

type timedOut struct{}

func (timedOut) Error() string   { return "i/o timeout" }
func (timedOut) Timeout() bool   { return true }
func (timedOut) Temporary() bool { return true }

func op(name string, err error) error {
	return &url.Error{Op: "Post", Err: &net.OpError{Op: name, Net: "tcp", Err: err}}
}

func errno(name string, number syscall.Errno) error {
	return op(name, os.NewSyscallError(name, number))
}

// The numbers are those of k6's documentation of error codes.
func TestErrorCodes(t *testing.T) {
	for want, cases := range map[int][]error{
		1000: {errors.New("anything"), context.Canceled, fmt.Errorf("wrapped: %w", errors.New("stream"))},
		1050: {op("read", timedOut{})},
		1100: {op("dial", &net.DNSError{Err: "server misbehaving"})},
		1101: {op("dial", &net.DNSError{Err: "no such host", IsNotFound: true}), errors.New("lookup x: no such host")},
		1110: {fmt.Errorf("dial: %w", netext.BlackListedIPError{})},
		1111: {netext.BlockedHostError{}},
		1200: {op("read", errors.New("strange"))},
		1201: {errno("write", syscall.EPIPE)},
		1210: {op("dial", errors.New("strange"))},
		1211: {op("dial", timedOut{})},
		1212: {errno("connect", syscall.ECONNREFUSED)},
		1220: {errno("read", syscall.ECONNRESET)},
		1301: {tls.RecordHeaderError{Msg: "first record does not look like a TLS handshake"}},
		1310: {&tls.CertificateVerificationError{Err: x509.UnknownAuthorityError{}}},
		1311: {x509.HostnameError{Certificate: &x509.Certificate{}, Host: "a"}},
		1610: {errors.New("http2: server sent GOAWAY and closed the connection; ErrCode=unknown")},
		1611: {errors.New("http2: server sent GOAWAY and closed the connection; LastStreamID=1, ErrCode=NO_ERROR, debug=")},
		1633: {errors.New("stream error: stream ID 3; INTERNAL_ERROR; received from peer")},
		1638: {errors.New("stream error: stream ID 3; REFUSED_STREAM")},
		1652: {errors.New("connection error: PROTOCOL_ERROR")},
	} {
		for _, err := range cases {
			if found := errorCodeOf(outcome.NetError, err); found.number != want {
				t.Errorf("want %d, found %d (%s) for %v", want, found.number, found.text, err)
			}
		}
	}
	for o, want := range map[outcome.Outcome]int{
		outcome.TimeoutConnect: 1211, outcome.TimeoutHeaders: 1050, outcome.TimeoutIdle: 1050, outcome.TimeoutTotal: 1050,
		outcome.TimeoutFirstToken: 1050, outcome.Aborted: 1000, outcome.Interrupted: 1000,
	} {
		if found := errorCodeOf(o, context.Canceled); found.number != want {
			t.Errorf("%s: want %d, found %d", o, want, found.number)
		}
	}
}
