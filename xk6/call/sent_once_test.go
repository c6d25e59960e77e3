package call

import (
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync/atomic"
	"testing"

	"golang.org/x/net/http2"

	"weighbridge.dev/xk6/outcome"
)

// resetting is an HTTP/2 server that reads each request whole and then resets its stream.
func resetting(t *testing.T, code http2.ErrCode) (root *url.URL, requests *atomic.Int64) {
	t.Helper()
	certified := httptest.NewUnstartedServer(nil) // for its certificate alone
	certified.StartTLS()
	certificates := certified.TLS.Certificates
	certified.Close()
	listener, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: certificates, NextProtos: []string{"h2"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	requests = &atomic.Int64{}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go resetStreams(conn, code, requests)
		}
	}()
	return &url.URL{Scheme: "https", Host: listener.Addr().String()}, requests
}

func resetStreams(conn net.Conn, code http2.ErrCode, requests *atomic.Int64) {
	defer func() { _ = conn.Close() }()
	if _, err := io.ReadFull(conn, make([]byte, len(http2.ClientPreface))); err != nil {
		return
	}
	framer := http2.NewFramer(conn, conn)
	if framer.WriteSettings() != nil {
		return
	}
	for {
		frame, err := framer.ReadFrame()
		if err != nil {
			return
		}
		switch f := frame.(type) {
		case *http2.SettingsFrame:
			if !f.IsAck() {
				_ = framer.WriteSettingsAck()
			}
		case *http2.DataFrame:
			if f.StreamEnded() {
				requests.Add(1)
				_ = framer.WriteRSTStream(f.StreamID, code)
			}
		}
	}
}

// Whatever a target does to the stream, a paid body goes out once for each intent.
func TestAPaidBodyIsSentOnceForEachIntentOverHTTP2(t *testing.T) {
	for _, code := range []http2.ErrCode{http2.ErrCodeProtocol, http2.ErrCodeRefusedStream, http2.ErrCodeInternal} {
		root, requests := resetting(t, code)
		b := newBench(t, "", http.NotFound)
		b.caller.Root = root
		transport := &http.Transport{ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
		t.Cleanup(transport.CloseIdleConnections)
		b.caller.Transport = transport
		result := b.call(t, chatRequest(false))
		if requests.Load() != 1 || result.Row.Outcome != string(outcome.NetError) {
			t.Fatalf("%v: expected one request and net_error, found %d and %s", code, requests.Load(), result.Row.Outcome)
		}
	}
}
