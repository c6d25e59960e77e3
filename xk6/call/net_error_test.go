package call

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"weighbridge.dev/xk6/outcome"
)

// listen accepts connections and hands each to serve.
func listen(t *testing.T, serve func(net.Conn)) *url.URL {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go serve(conn)
		}
	}()
	return &url.URL{Scheme: "http", Host: listener.Addr().String()}
}

// afterRequest ends a connection once the request is there.
func afterRequest(end func(*net.TCPConn)) func(net.Conn) {
	return func(conn net.Conn) {
		_, _ = conn.Read(make([]byte, 4096))
		end(conn.(*net.TCPConn))
	}
}

// noSuchName answers every DNS query over UDP with NXDOMAIN.
func noSuchName(t *testing.T) *net.Resolver {
	t.Helper()
	server, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	go func() {
		query := make([]byte, 512)
		for {
			n, from, err := server.ReadFrom(query)
			if err != nil {
				return
			}
			query[2], query[3] = 0x81, 0x83 // an answer; recursion; no such name
			query[10], query[11] = 0, 0     // the additional record of the query is not answered
			_, _ = server.WriteTo(query[:n], from)
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var dialer net.Dialer
		return dialer.DialContext(ctx, "udp", server.LocalAddr().String())
	}}
}

func TestNetworkErrors(t *testing.T) {
	secure := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer secure.Close()
	https := func(u *url.URL) *url.URL { return &url.URL{Scheme: "https", Host: u.Host} }
	cases := []struct {
		name    string
		root    func(*testing.T) *url.URL
		outcome outcome.Outcome
		error   outcome.ErrorType
	}{
		{"no such name", func(*testing.T) *url.URL { return &url.URL{Scheme: "http", Host: "gateway.invalid"} },
			outcome.NetError, outcome.ErrorDns},
		{"nobody listens", func(t *testing.T) *url.URL {
			server := httptest.NewServer(nil)
			server.Close()
			root, _ := url.Parse(server.URL)
			return root
		}, outcome.NetError, outcome.ErrorConnectRefused},
		{"reset", func(t *testing.T) *url.URL {
			return listen(t, afterRequest(func(conn *net.TCPConn) { _ = conn.SetLinger(0); _ = conn.Close() }))
		}, outcome.NetError, outcome.ErrorConnectReset},
		{"closed without an answer", func(t *testing.T) *url.URL {
			return listen(t, afterRequest(func(conn *net.TCPConn) { _ = conn.Close() }))
		}, outcome.NetError, outcome.ErrorSocketClosed},
		{"an unknown authority", func(*testing.T) *url.URL {
			root, _ := url.Parse(secure.URL)
			return root
		}, outcome.NetError, outcome.ErrorTls},
		{"no TLS on the other side", func(t *testing.T) *url.URL {
			return https(listen(t, afterRequest(func(conn *net.TCPConn) { _, _ = conn.Write([]byte("HTTP/1.0 400\r\n\r\n")) })))
		}, outcome.NetError, outcome.ErrorTls},
		{"no HTTP on the other side", func(t *testing.T) *url.URL {
			return listen(t, afterRequest(func(conn *net.TCPConn) { _, _ = conn.Write([]byte("SSH-2.0-x\r\n")) }))
		}, outcome.NetError, outcome.ErrorOther},
		{"a handshake that never ends", func(t *testing.T) *url.URL {
			return https(listen(t, func(net.Conn) {}))
		}, outcome.TimeoutConnect, outcome.ErrorTimeoutConnect},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, "", func(http.ResponseWriter, *http.Request) {})
			b.caller.Root = c.root(t)
			dialer := net.Dialer{Resolver: noSuchName(t)}
			b.caller.Transport = &http.Transport{DialContext: dialer.DialContext}
			if c.outcome == outcome.TimeoutConnect {
				b.caller.Timeouts.Connect = 100 * time.Millisecond
			}
			row := b.call(t, chatRequest(false)).Row
			wantOutcome(t, row, c.outcome, c.error)
			if row.Status != nil || row.RequestID != nil || row.HeadersMS != nil {
				t.Errorf("an answer without an answer: %+v", row)
			}
		})
	}
}
