package stamp

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"os"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"

	"weighbridge.dev/xk6/clock"
)

const head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

// pair is a stamping connection and what stands at its other end.
func pair(t *testing.T) (*Conn, *net.TCPConn) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	ours, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = ours.Close(), theirs.Close() })
	return Wrap(ours, Counts{Read: new(int64), Written: new(int64)}), theirs.(*net.TCPConn)
}

func send(t *testing.T, to io.Writer, text string) {
	t.Helper()
	if _, err := io.WriteString(to, text); err != nil {
		t.Error(err)
	}
}

// awaitHeard waits until bytes came after a moment.
func awaitHeard(g *Reading, after clock.Moment) {
	for g.Heard() <= after {
		runtime.Gosched()
	}
}

func read(t *testing.T, c *Conn) string {
	t.Helper()
	p := make([]byte, 4096)
	n, err := c.Read(p)
	if err != nil {
		t.Fatal(err)
	}
	return string(p[:n])
}

func TestHeldBytesComeTogetherWithAStampEach(t *testing.T) {
	ours, theirs := pair(t)
	g := new(Reading)
	ours.Follow(g)
	send(t, theirs, head)
	if got := read(t, ours); got != head || !g.Known() {
		t.Fatalf("read %q, known %t", got, g.Known())
	}
	g.Hold(true)
	times := make(chan clock.Moment, 2)
	go func() {
		before := g.Heard()
		send(t, theirs, "5\r\nfirst\r\n")
		awaitHeard(g, before)
		between := clock.Now()
		times <- between
		send(t, theirs, "6\r\nsecond\r\n")
		awaitHeard(g, between)
		times <- clock.Now()
		send(t, theirs, "0\r\n\r\n")
	}()
	if got, want := read(t, ours), "5\r\nfirst\r\n6\r\nsecond\r\n0\r\n\r\n"; got != want {
		t.Fatalf("expected one read of %q, found %q", want, got)
	}
	between, after := <-times, <-times
	n, first := g.Next(11)
	m, second := g.Next(11 - n)
	if n != 5 || m != 6 {
		t.Errorf("expected 5 and 6 bytes, found %d and %d", n, m)
	}
	if first > between || second < between || second > after || g.Heard() < after {
		t.Errorf("stamps %d, %d and %d do not stand around %d and %d", first, second, g.Heard(), between, after)
	}
	if got := *ours.counts.Read; got != int64(len(head)+len("5\r\nfirst\r\n6\r\nsecond\r\n0\r\n\r\n")) {
		t.Errorf("counted %d bytes", got)
	}
}

// A target that falls silent must not keep what it sent from us.
func TestBytesAreHeldForAWhileOnly(t *testing.T) {
	ours, theirs := pair(t)
	g := new(Reading)
	ours.Follow(g)
	g.Hold(true)
	send(t, theirs, head+"5\r\nfirst\r\n")
	if got := read(t, ours); got != head+"5\r\nfirst\r\n" {
		t.Fatalf("read %q", got)
	}
	if held := clock.Now().Since(g.Heard()); held < MostHeld || held > 20*MostHeld {
		t.Errorf("held for %s", held)
	}
	// The deadline that ended the last read is not the next one's.
	go send(t, theirs, "6\r\nsecond\r\n0\r\n\r\n")
	if got := read(t, ours); !strings.HasSuffix(got, "0\r\n\r\n") {
		t.Errorf("read %q", got)
	}
}

func TestNothingIsHeldUnlessItIsAskedFor(t *testing.T) {
	ours, theirs := pair(t)
	g := new(Reading)
	ours.Follow(g)
	for _, part := range []string{head, "5\r\nfirst\r\n", "6\r\nsec"} {
		send(t, theirs, part)
		if got := read(t, ours); got != part {
			t.Errorf("expected %q, found %q", part, got)
		}
	}
}

// The end of a connection that is cut with its last bytes is when those came, though it is found when no more are awaited.
func TestACutThatCameWithTheLastBytesHasTheirTime(t *testing.T) {
	ours, theirs := pair(t)
	g := new(Reading)
	ours.Follow(g)
	g.Hold(true)
	send(t, theirs, head+"5\r\nfirst\r\n")
	if err := theirs.Close(); err != nil {
		t.Fatal(err)
	}
	read(t, ours)
	came := g.Heard()
	if _, err := ours.Read(make([]byte, 10)); err != io.EOF {
		t.Fatalf("expected the end, found %v", err)
	}
	if g.Heard() != came && g.Heard().Since(came) > MostHeld {
		t.Errorf("the end is stamped %s after the last bytes", g.Heard().Since(came))
	}
}

func TestErrorsAreThoseOfTheConnection(t *testing.T) {
	ours, theirs := pair(t)
	if err := theirs.SetLinger(0); err != nil {
		t.Fatal(err)
	}
	_ = theirs.Close()
	_, err := ours.Read(make([]byte, 10))
	var operation *net.OpError
	if !errors.Is(err, syscall.ECONNRESET) || !errors.As(err, &operation) || operation.Op != "read" || operation.Net != "tcp" {
		t.Errorf("expected a read that was reset, found %v", err)
	}
	ours, _ = pair(t)
	_ = ours.Close()
	if _, err := ours.Read(make([]byte, 10)); !errors.Is(err, net.ErrClosed) || strings.Contains(err.Error(), "raw-read") {
		t.Errorf("expected a read of a closed connection, found %v", err)
	}
}

// The kernel tells of a reset once: bytes that were held with it must not make an end of it.
func TestAResetWhileBytesAreHeldIsTold(t *testing.T) {
	ours, theirs := pair(t)
	g := new(Reading)
	ours.Follow(g)
	send(t, theirs, head)
	read(t, ours)
	g.Hold(true)
	go func() {
		before := g.Heard()
		send(t, theirs, "5\r\nfirst\r\n")
		awaitHeard(g, before)
		_ = theirs.SetLinger(0)
		_ = theirs.Close()
	}()
	if got := read(t, ours); got != "5\r\nfirst\r\n" {
		t.Fatalf("read %q", got)
	}
	for range 2 {
		if _, err := ours.Read(make([]byte, 10)); !errors.Is(err, syscall.ECONNRESET) {
			t.Errorf("expected a reset, found %v", err)
		}
	}
}

// net/http keeps the last bytes of a body until its trailer has ended.
func TestATrailerThatDoesNotEndIsNotAwaited(t *testing.T) {
	ours, theirs := pair(t)
	g := new(Reading)
	ours.Follow(g)
	g.Hold(true)
	send(t, theirs, head+"5\r\nfirst\r\n0\r\n")
	read(t, ours)
	if _, err := ours.Read(make([]byte, 10)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("expected a deadline, found %v", err)
	}
}

func TestBytesThatCannotBeFollowedAreNotHeld(t *testing.T) {
	ours, theirs := pair(t)
	g := new(Reading)
	ours.Follow(g)
	send(t, theirs, head+"no size\r\n")
	read(t, ours)
	g.Hold(true)
	for _, part := range []string{"one", "two"} {
		send(t, theirs, part)
		if got := read(t, ours); got != part {
			t.Errorf("expected %q, found %q", part, got)
		}
		if ours.first != 0 {
			t.Errorf("%q was held", part)
		}
	}
}

// A stream of any length keeps no more marks than wait at once.
func TestMarksAreUsedAgain(t *testing.T) {
	g := new(Reading)
	g.took([]byte(head), 1)
	for n := range 10_000 {
		for range 3 {
			g.took([]byte("1\r\nx\r\n"), clock.Moment(n))
		}
		for range 3 {
			g.Next(1)
		}
	}
	if len(g.marks) > len(g.few) || cap(g.marks) > len(g.few) {
		t.Errorf("%d marks in room for %d", len(g.marks), cap(g.marks))
	}
}

// Many answers of many sizes on few connections, held all the time: each byte has a stamp and none is early or out of order.
func TestHoldingUnderTheTransportLosesNothing(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var parts, size int
		_, _ = fmt.Sscanf(r.URL.Path, "/%d/%d", &parts, &size)
		for range parts {
			_, _ = io.WriteString(w, strings.Repeat("x", size))
			w.(http.Flusher).Flush()
		}
	})}
	defer func() { _ = server.Close() }()
	go func() { _ = server.Serve(listener) }()
	transport := &http.Transport{
		MaxConnsPerHost: 4, MaxIdleConnsPerHost: 4,
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := new(net.Dialer).DialContext(ctx, network, address)
			if err != nil {
				return nil, err
			}
			return Wrap(conn, Counts{}), nil
		},
	}
	defer transport.CloseIdleConnections()
	var all sync.WaitGroup
	for _, shape := range [][2]int{{50, 10}, {1, 100_000}, {200, 100}, {3, 5000}, {1, 1}, {20, 1000}, {7, 4096}, {2, 30_000}} {
		for range 4 {
			all.Go(func() { exchange(t, transport, "http://"+listener.Addr().String(), shape[0], shape[1]) })
		}
	}
	all.Wait()
}

func exchange(t *testing.T, transport *http.Transport, root string, parts, size int) {
	var g *Reading
	ctx := httptrace.WithClientTrace(context.Background(), &httptrace.ClientTrace{GotConn: func(info httptrace.GotConnInfo) {
		g = new(Reading)
		info.Conn.(*Conn).Follow(g)
	}})
	started := clock.Now()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("%s/%d/%d", root, parts, size), nil)
	if err != nil {
		t.Error(err)
		return
	}
	response, err := transport.RoundTrip(request)
	if err != nil {
		t.Error(err)
		return
	}
	defer func() { _ = response.Body.Close() }()
	known := g.Known() && len(response.TransferEncoding) == 1
	body := bufio.NewReaderSize(response.Body, 4096)
	total, last, p := 0, started, make([]byte, 3000)
	for err == nil {
		g.Hold(known)
		var n int
		n, err = body.Read(p)
		total += n
		for rest := n; known && rest > 0; {
			count, at := g.Next(rest)
			if at < last || at > clock.Now() || count < 1 || count > rest {
				t.Errorf("%d of %d bytes at %d, after %d", count, rest, at, last)
				return
			}
			rest, last = rest-count, at
		}
	}
	if err != io.EOF || total != parts*size {
		t.Errorf("%d × %d: expected %d bytes, found %d and %v", parts, size, parts*size, total, err)
	}
	if known && (g.given != uint64(total) || g.framing.offset != uint64(total)) {
		t.Errorf("%d × %d: %d bytes told and %d framed of %d", parts, size, g.given, g.framing.offset, total)
	}
}
