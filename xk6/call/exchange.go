package call

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"sync"
	"time"

	"weighbridge.dev/xk6/clock"
	"weighbridge.dev/xk6/outcome"
	"weighbridge.dev/xk6/wire"
)

const (
	readBuffer   = 32 << 10
	maxErrorBody = 64 << 10
	maxBody      = 64 << 20
	maxEvent     = 16 << 20
	drainBytes   = 64 << 10
	drainTime    = 250 * time.Millisecond
)

var buffers = sync.Pool{New: func() any { buffer := make([]byte, readBuffer); return &buffer }}

// exchange is one HTTP request with all that was seen of its answer.
type exchange struct {
	started              clock.Moment
	headers, end         *clock.Moment
	firstEvent           *clock.Moment
	ttft, ttfo           *clock.Moment
	lastContent          *clock.Moment
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
	code, apiType        string
	errorRequestIDs      []string
	result               *wire.Result
	images               *wire.Images
	body                 []byte
	content, url, digest string

	mu     sync.Mutex // guards what the transport's goroutines stamp
	wrote  *clock.Moment
	reused *bool
}

// reader takes the body of a 2xx answer and sets the outcome.
type reader func(x *exchange, response *http.Response, w *watch, ctx context.Context)

// exchange sends a request and reads its answer to the end. The outcome is always set.
func (c *Caller) exchange(parent context.Context, req *Request, timeouts Timeouts, read reader) *exchange {
	ctx, cancel := context.WithCancelCause(parent)
	defer cancel(nil)
	w := newWatch(cancel, timeouts)
	defer w.stop()
	x := &exchange{bytesOut: int64(len(req.Body))}
	httpRequest, err := c.httpRequest(ctx, req)
	x.started = clock.Now()
	if err != nil {
		x.finish(outcome.NetError, outcome.ErrorOther, err.Error())
		return x
	}
	httpRequest, traced := c.trace(x, w, httpRequest)
	w.start(outcome.TimeoutTotal, timeouts.Total)
	w.start(outcome.TimeoutConnect, timeouts.Connect)
	if req.Stream {
		w.start(outcome.TimeoutFirstToken, timeouts.FirstToken)
	}
	response, err := c.Transport.RoundTrip(httpRequest)
	if err != nil {
		x.failed(ctx, err)
		return x
	}
	defer func() { _ = response.Body.Close() }()
	x.headers = moment(clock.Now())
	w.disarm(outcome.TimeoutConnect)
	w.disarm(outcome.TimeoutHeaders)
	w.start(outcome.TimeoutIdle, timeouts.Idle)
	x.status, x.header, x.proto = response.StatusCode, response.Header, response.Proto
	if x.status >= 200 && x.status < 300 {
		read(x, response, w, ctx)
	} else {
		w.disarm(outcome.TimeoutFirstToken)
		x.refused(response, w, ctx)
	}
	if traced != nil {
		traced(x.status)
	}
	return x
}

func (c *Caller) httpRequest(ctx context.Context, req *Request) (*http.Request, error) {
	target, own, err := c.resolve(req.Path)
	if err != nil {
		return nil, err
	}
	var body *bytes.Reader
	if req.Body != nil {
		body = bytes.NewReader(req.Body)
	} else {
		body = bytes.NewReader(nil)
	}
	httpRequest, err := http.NewRequestWithContext(ctx, req.Method, target.String(), body)
	if err != nil {
		return nil, err
	}
	httpRequest.Header.Set("Accept", accept(req))
	for name, values := range req.Header {
		httpRequest.Header[http.CanonicalHeaderKey(name)] = values
	}
	if req.Body != nil && httpRequest.Header.Get("Content-Type") == "" {
		httpRequest.Header.Set("Content-Type", req.ContentType)
	}
	httpRequest.Header.Set("User-Agent", c.Run.UserAgent())
	if own && c.Run.Key.Present() { // a link to another origin never sees the key
		switch req.Auth {
		case Bearer:
			httpRequest.Header.Set("Authorization", "Bearer "+c.Run.Key.Reveal())
		case XAPIKey:
			httpRequest.Header.Set("X-Api-Key", c.Run.Key.Reveal())
		case NoAuth:
		}
	}
	return httpRequest, nil
}

func accept(req *Request) string {
	switch {
	case req.Stream:
		return "text/event-stream"
	case req.Expect == ExpectMP4 || req.Expect == ExpectBytes || req.Kind == "download":
		return "*/*"
	default:
		return "application/json"
	}
}

// resolve gives the URL of a path and whether it is on the target's own origin.
func (c *Caller) resolve(path string) (target *url.URL, own bool, err error) {
	ref, err := url.Parse(path)
	if err != nil {
		return nil, false, err
	}
	if ref.IsAbs() {
		return ref, ref.Scheme == c.Root.Scheme && ref.Host == c.Root.Host, nil
	}
	joined := *c.Root
	joined.Path = c.Root.Path + ref.Path
	joined.RawPath = c.Root.EscapedPath() + ref.EscapedPath()
	joined.RawQuery = ref.RawQuery
	return &joined, true, nil
}

// trace stamps the connection and the written request, and lets the host of the package trace too.
func (c *Caller) trace(x *exchange, w *watch, req *http.Request) (*http.Request, func(status int)) {
	ctx := httptrace.WithClientTrace(req.Context(), &httptrace.ClientTrace{
		GotConn: func(info httptrace.GotConnInfo) {
			w.disarm(outcome.TimeoutConnect)
			w.start(outcome.TimeoutHeaders, w.timeouts.Headers)
			x.mu.Lock()
			defer x.mu.Unlock()
			x.reused = &info.Reused
		},
		WroteRequest: func(info httptrace.WroteRequestInfo) {
			if info.Err != nil {
				return
			}
			now := clock.Now()
			x.mu.Lock()
			defer x.mu.Unlock()
			x.wrote = &now
		},
	})
	if c.Trace == nil {
		return req.WithContext(ctx), nil
	}
	trace, done := c.Trace(req)
	return req.WithContext(httptrace.WithClientTrace(ctx, trace)), done
}

func (x *exchange) stamps() (wrote *clock.Moment, reused *bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.wrote, x.reused
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
	if x.end == nil {
		x.end = moment(clock.Now())
	}
}

func moment(m clock.Moment) *clock.Moment { return &m }
