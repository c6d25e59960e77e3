package call

import (
	"bytes"
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
	"time"

	"weighbridge.dev/xk6/clock"
	"weighbridge.dev/xk6/outcome"
	"weighbridge.dev/xk6/stamp"
	"weighbridge.dev/xk6/wire"
)

const (
	maxEvent   = 16 << 20
	drainBytes = 64 << 10
	drainTime  = 250 * time.Millisecond
)

// exchange is one HTTP request with all that was seen of its answer. A moment of 0 did not come: the clock's own 0 is
// the start of the process.
type exchange struct {
	started              clock.Moment
	headers, end         clock.Moment
	firstEvent           clock.Moment
	ttft, ttfo           clock.Moment
	lastContent          clock.Moment
	gaps                 histogram
	maxGap               time.Duration
	events, chunks       int
	bytesIn, bytesOut    int64
	status               int
	header               http.Header
	proto                string
	outcome              outcome.Outcome
	errorType            outcome.ErrorType
	message              string
	fault                error // what broke the body off
	code, apiType        string
	errorRequestIDs      []string
	result               *wire.Result
	images               *wire.Images
	body                 []byte
	firstData            []byte // of a stream: ids may stand in its first event
	content, url, digest string
	text                 string // the visible text, where it is kept
	finishEnds, unmarked bool   // a stream may end without [DONE], and did

	// arrivals is when the bytes of a stream came; nil where the connection does not tell.
	arrivals *stamp.Reading

	// Stamped by the transport's goroutines, perhaps after the exchange is over.
	wrote      atomic.Int64 // clock.Moment
	connection atomic.Int32
}

// What became of the connection.
const (
	notConnected int32 = iota
	newConnection
	usedConnection
)

// answered tells whether a status line and headers came.
func (x *exchange) answered() bool { return x.headers != 0 }

// reader takes the body of a 2xx answer and sets the outcome.
type reader func(x *exchange, response *http.Response, w *watch, ctx context.Context)

// exchange sends a request and reads its answer to the end. The outcome is always set.
func (c *Caller) exchange(parent context.Context, req *Request, timeouts Timeouts, read reader) *exchange {
	ctx, cancel := context.WithCancelCause(parent)
	defer cancel(nil)
	w := newWatch(cancel)
	defer w.stop()
	x := &exchange{bytesOut: int64(len(req.Body))}
	head, err := c.headOf(req)
	x.started = clock.Now()
	if err != nil {
		x.finish(outcome.NetError, outcome.ErrorOther, err.Error())
		return x
	}
	trace, traced := c.trace(x, w, timeouts, req)
	request := httpRequest(httptrace.WithClientTrace(ctx, trace), req, head)
	if req.Stream {
		w.start(alarmFirstToken, x.started, timeouts.FirstToken)
	}
	w.start(alarmConnect, x.started, timeouts.Connect)
	w.start(alarmTotal, x.started, timeouts.Total)
	w.start(alarmStop, x.started, req.StopAfter.Time)
	response, err := c.Transport.RoundTrip(request)
	if err != nil {
		x.failed(ctx, err)
		if traced != nil {
			traced(nil, x.outcome, err)
		}
		return x
	}
	defer func() { _ = response.Body.Close() }()
	x.headers = clock.Now()
	if heard := x.heardOf(response); heard != nil {
		x.headers = heardAt(heard.Head(), x.headers)
	}
	w.disarm(alarmConnect)
	w.disarm(alarmHeaders)
	w.start(alarmIdle, x.headers, timeouts.Idle)
	x.status, x.header, x.proto = response.StatusCode, response.Header, response.Proto
	if x.status >= 200 && x.status < 300 {
		read(x, response, w, ctx)
	} else {
		w.disarm(alarmFirstToken)
		x.refused(response, w, timeouts, ctx)
	}
	if traced != nil {
		traced(response, x.outcome, x.fault)
	}
	return x
}

// httpRequest has no GetBody: with it the HTTP/2 transport sends a body again as often as the target resets its stream, and
// each time may be charged. What is sent again is the retry policy's to say.
func httpRequest(ctx context.Context, req *Request, head *requestHead) *http.Request {
	request := http.Request{
		Method: req.Method, URL: head.url, Host: head.url.Host, Header: head.header, ContentLength: int64(len(req.Body)),
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Body: http.NoBody,
	}
	if len(req.Body) > 0 {
		request.Body = io.NopCloser(bytes.NewReader(req.Body))
	}
	return request.WithContext(ctx)
}

// trace stamps the connection and the written request. The host's hooks are called from ours: joining two traces is
// left to the standard library only at the price of reflection for every hook of every call.
func (c *Caller) trace(x *exchange, w *watch, timeouts Timeouts, req *Request) (*httptrace.ClientTrace, Done) {
	own := &httptrace.ClientTrace{}
	var done Done
	if c.Trace != nil {
		own, done = c.Trace(req.Method)
	}
	gotConn, wroteRequest := own.GotConn, own.WroteRequest
	own.GotConn = func(info httptrace.GotConnInfo) {
		w.disarm(alarmConnect)
		w.start(alarmHeaders, clock.Now(), timeouts.Headers)
		if req.Stream {
			x.arrivals = follow(info.Conn) // another one where the transport tries another connection
		}
		if info.Reused {
			x.connection.Store(usedConnection)
		} else {
			x.connection.Store(newConnection)
		}
		if gotConn != nil {
			gotConn(info)
		}
	}
	own.WroteRequest = func(info httptrace.WroteRequestInfo) {
		if info.Err == nil {
			x.wrote.Store(int64(clock.Now()))
		}
		if wroteRequest != nil {
			wroteRequest(info)
		}
	}
	return own, done
}

// follow has the connection stamp the answer; nil where it cannot.
func follow(conn net.Conn) *stamp.Reading {
	arrivals := new(stamp.Reading)
	switch conn := conn.(type) {
	case *stamp.Conn:
		conn.Follow(arrivals)
		return arrivals
	case *tls.Conn:
		if below, stamps := conn.NetConn().(*stamp.Conn); stamps {
			below.FollowSealed(arrivals)
			return arrivals
		}
	}
	return nil
}

// heardAt is when bytes came by their connection; the moment of their read where they came before it was followed.
func heardAt(heard, read clock.Moment) clock.Moment {
	if heard == 0 {
		return read
	}
	return heard
}

// reused is nil where no connection was got.
func (x *exchange) reused() *bool {
	connection := x.connection.Load()
	if connection == notConnected {
		return nil
	}
	used := connection == usedConnection
	return &used
}

// finish sets the outcome once; the first one stays.
func (x *exchange) finish(o outcome.Outcome, e outcome.ErrorType, message string) {
	if x.outcome != "" {
		return
	}
	x.outcome, x.errorType = o, e
	if x.message == "" {
		x.message = message
	}
	if x.end == 0 {
		x.end = clock.Now()
	}
}
