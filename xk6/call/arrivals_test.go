package call

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"weighbridge.dev/xk6/outcome"
	"weighbridge.dev/xk6/stamp"
)

const wholeStream = `data: {"id":"c","model":"m","choices":[{"index":0,"delta":{"content":"a"},"finish_reason":null}]}

data: {"id":"c","model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}

data: [DONE]

`

// Where a connection tells when its bytes came, events have that time, under TLS and without chunks as well.
func TestStreamsAreStampedAtTheConnection(t *testing.T) {
	for _, test := range []struct {
		name    string
		tls     bool
		chunked bool
		http2   bool
		stamped bool
	}{
		{"chunks", false, true, false, true},
		{"a length", false, false, false, true},
		{"TLS", true, true, false, true},
		{"HTTP/2", true, true, true, false}, // the connection has other streams
	} {
		t.Run(test.name, func(t *testing.T) {
			handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/event-stream")
				if test.chunked {
					w.(http.Flusher).Flush()
				}
				_, _ = io.WriteString(w, wholeStream)
			})
			server := httptest.NewUnstartedServer(handler)
			server.EnableHTTP2 = test.http2
			if test.tls {
				server.StartTLS()
			} else {
				server.Start()
			}
			t.Cleanup(server.Close)
			b := newBench(t, "", nil)
			root, err := url.Parse(server.URL)
			if err != nil {
				t.Fatal(err)
			}
			b.caller.Root = root
			transport := &http.Transport{
				DialContext: stamped, ForceAttemptHTTP2: test.http2, TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
			}
			t.Cleanup(transport.CloseIdleConnections)
			b.caller.Transport = transport

			req := chatRequest(true)
			var heard *stamp.Reading
			x := b.caller.exchange(context.Background(), req, b.caller.Timeouts,
				func(x *exchange, response *http.Response, w *watch, ctx context.Context) {
					heard = x.heardOf(response)
					readStream(req, b.caller.Timeouts, req.KeepText)(x, response, w, ctx)
				})
			if x.outcome != outcome.Ok || x.events != 1 {
				t.Fatalf("%s with %d events: %s", x.outcome, x.events, x.message)
			}
			if (heard != nil) != test.stamped {
				t.Fatalf("stamped: %t", heard != nil)
			}
			if test.stamped && (x.end > heard.Heard() || x.ttft > x.end || x.ttft < x.headers || x.headers < x.started) {
				t.Errorf("sent %d, headers %d, first token %d, end %d, last bytes %d", x.started, x.headers, x.ttft, x.end, heard.Heard())
			}
		})
	}
}

// A body that looks like the end of one in chunks and is none does not stop the clock.
func TestABodyThatFeignsItsEndIsTimedToItsEnd(t *testing.T) {
	b := newBench(t, "", nil)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	const pause = 100 * time.Millisecond
	go func() {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		defer func() { _ = conn.Close() }()
		_, _ = conn.Read(make([]byte, 4096))
		_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n0\r\n\r\n")
		<-time.After(pause)
		_, _ = io.WriteString(conn, wholeStream)
	}()
	b.caller.Root = &url.URL{Scheme: "http", Host: listener.Addr().String()}
	row := b.call(t, chatRequest(true)).Row
	if row.Outcome != string(outcome.Ok) || *row.TTFTMS < 99 || row.EndMS < *row.TTFTMS {
		t.Errorf("%s after %v and %v ms", row.Outcome, *row.TTFTMS, row.EndMS)
	}
}
