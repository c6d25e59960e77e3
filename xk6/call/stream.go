package call

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"weighbridge.dev/xk6/clock"
	"weighbridge.dev/xk6/outcome"
	"weighbridge.dev/xk6/sse"
	"weighbridge.dev/xk6/stamp"
	"weighbridge.dev/xk6/wire"
)

// readStream reads server-sent events; all events that one read completes carry that read's stamp.
func readStream(req *Request, timeouts Timeouts, keepText bool) reader {
	return func(x *exchange, response *http.Response, w *watch, ctx context.Context) {
		if !isEventStream(response.Header.Get("Content-Type")) {
			x.notAStream(req, timeouts, keepText, response, w, ctx)
			return
		}
		x.finishEnds = req.FinishEnds
		w.disarm(alarmIdle) // before the first content its own timer runs
		r := streamReading{
			x: x, w: w, stream: wire.NewStream(req.Kind, keepText), parser: sse.NewParser(maxEvent), idle: timeouts.Idle,
		}
		if r.heard = x.heardOf(response); r.heard != nil && isChunked(response) && r.heard.Known() {
			r.arrivals = r.heard
			w.listen(r.arrivals, timeouts.Idle)
		}
		r.read(ctx, response.Body, req.StopAfter.Events)
		x.text = x.result.Text
	}
}

// isEventStream compares the media type alone.
func isEventStream(contentType string) bool {
	mediaType, _, _ := strings.Cut(contentType, ";")
	return strings.EqualFold(strings.TrimSpace(mediaType), "text/event-stream")
}

// heardOf is what the connection of an answer tells of it; nil where it does not, or has other answers as well.
func (x *exchange) heardOf(response *http.Response) *stamp.Reading {
	if response.ProtoMajor != 1 {
		return nil
	}
	return x.arrivals
}

// isChunked tells whether the bytes of a body are those of the connection but for the marks of HTTP/1's chunks.
func isChunked(response *http.Response) bool {
	encoding := response.TransferEncoding
	return len(encoding) == 1 && encoding[0] == "chunked" && !response.Uncompressed
}

// streamReading is the reading of one stream. It allocates nothing per event.
type streamReading struct {
	x        *exchange
	w        *watch
	stream   wire.Stream
	parser   *sse.Parser
	idle     time.Duration
	heard    *stamp.Reading // when bytes of the connection came last; nil where it is not ours alone
	arrivals *stamp.Reading // when each byte of the body came; nil where that is not known
	now      clock.Moment   // when the bytes at hand came
	terminal bool
	drained  int // bytes behind the terminal event
	buffer   readBuffer
	few      [64]byte
}

// read takes events until the end, the terminal event and what little follows it, or the stopAfter-th content event
// (0 for none).
func (r *streamReading) read(ctx context.Context, body io.Reader, stopAfter int) {
	x := r.x
	defer r.buffer.free()
	take := r.take
	for {
		rest, err := r.next(body)
		r.now = r.cameBy(clock.Now(), err)
		x.bytesIn += int64(len(rest))
		for len(rest) > 0 {
			part := r.arrived(rest)
			rest = rest[len(part):]
			if feedErr := r.feed(part, take); feedErr != nil {
				r.close()
				x.finish(outcome.StreamError, outcome.ErrorStreamOversize, feedErr.Error())
				return
			}
			if stopAfter > 0 && x.events >= stopAfter && !r.terminal {
				r.w.cancel(causes[alarmStop]) // the connection is closed, not drained
				x.judgeStream(ctx, r.close(), false, context.Canceled)
				return
			}
		}
		if err != nil || r.drained > drainBytes {
			x.judgeStream(ctx, r.close(), r.terminal, err)
			return
		}
		if r.arrivals != nil {
			// Before the first content each byte is news, and behind the last there is none to wait for. Where a call is
			// aborted after so many events, the next may be the last.
			r.arrivals.Hold(x.ttft != 0 && !r.terminal && stopAfter == 0)
		}
	}
}

// next reads what has come, which is gone at the next next. A stream waits most of its life. Where the connection tells what
// waits at it, that is done with room for a few bytes, and the rest is read, which takes no waiting, into a buffer that
// all streams share.
func (r *streamReading) next(body io.Reader) ([]byte, error) {
	if r.arrivals == nil || !r.arrivals.Known() {
		b := r.buffer.bytes()
		n, err := body.Read(b)
		r.buffer.took(n)
		return b[:n], err
	}
	r.buffer.free()
	n, err := body.Read(r.few[:])
	waiting := r.arrivals.Waiting() - n
	if err != nil || waiting <= 0 {
		return r.few[:n], err
	}
	b := r.buffer.bytes()
	copy(b, r.few[:n])
	more, err := body.Read(b[n:min(n+waiting, len(b))])
	return b[:n+more], err
}

// cameBy is when what a read returned had come: bytes, or the end.
func (r *streamReading) cameBy(read clock.Moment, err error) clock.Moment {
	if r.heard == nil || err != nil && !errors.Is(err, io.EOF) {
		return read
	}
	return heardAt(r.heard.Heard(), read)
}

// arrived is the beginning of what was read that came at one time.
func (r *streamReading) arrived(rest []byte) []byte {
	if r.arrivals == nil {
		return rest
	}
	var n int
	n, r.now = r.arrivals.Next(len(rest))
	return rest[:n]
}

// feed takes what came at one time.
func (r *streamReading) feed(part []byte, take func(sse.Event)) error {
	if r.terminal {
		r.drained += len(part)
		return nil
	}
	r.x.chunks++
	if err := r.parser.Feed(part, take); err != nil {
		return err
	}
	if r.x.ttft != 0 && !r.terminal {
		r.w.start(alarmIdle, r.now, r.idle)
	}
	return nil
}

func (r *streamReading) close() wire.Result {
	if r.x.end == 0 {
		r.x.end = r.now
	}
	result := r.stream.Result()
	r.x.result = &result
	return result
}

// take accounts for one event.
func (r *streamReading) take(event sse.Event) {
	if r.terminal {
		return
	}
	step := r.stream.Event(event)
	x := r.x
	if x.firstEvent == 0 {
		x.firstEvent = r.now
		x.firstData = slices.Clone(event.Data[:min(len(event.Data), maxErrorBody)])
	}
	if step.Visible && x.ttfo == 0 {
		x.ttfo = r.now
	}
	if step.Content {
		x.events++
		if x.ttft == 0 {
			x.ttft = r.now
			r.w.disarm(alarmFirstToken)
		} else {
			gap := r.now.Since(x.lastContent)
			x.gaps.add(gap)
			x.maxGap = max(x.maxGap, gap)
		}
		x.lastContent = r.now
	}
	if step.Terminal {
		r.terminal = true
		x.end = r.now
		r.w.drain(r.now)
	}
}

// judgeStream decides the outcome: only the format's own complete ending is ok (design §5).
func (x *exchange) judgeStream(ctx context.Context, result wire.Result, terminal bool, err error) {
	x.code, x.apiType = result.ErrorCode, result.APIErrorType
	errorType := outcome.ErrorType(result.ErrorType)
	switch {
	case result.Complete:
		x.finish(outcome.Ok, outcome.ErrorNone, "")
	case x.finishEnds && result.Finished && string(errorType) == string(outcome.ErrorStreamNoTerminator) && errors.Is(err, io.EOF):
		x.unmarked = true
		x.finish(outcome.Ok, outcome.ErrorNone, "")
	case outcome.Allowed(outcome.StreamError, errorType) && errorType != outcome.ErrorStreamEmpty:
		x.finish(outcome.StreamError, errorType, result.ErrorMessage)
	case !terminal && err != nil && !errors.Is(err, io.EOF):
		x.broken(ctx, err)
	case errorType == outcome.ErrorStreamEmpty:
		x.finish(outcome.StreamError, errorType, "the stream ended without an event")
	default:
		x.finish(outcome.Truncated, outcome.ErrorStreamNoTerminator, "the stream ended without the format's own ending")
	}
}

// notAStream reads an answer that claims success and is no event stream; a JSON body may still tell the usage.
func (x *exchange) notAStream(
	req *Request, timeouts Timeouts, keepText bool, response *http.Response, w *watch, ctx context.Context,
) {
	w.disarm(alarmFirstToken)
	if !x.readBeginning(response, w, timeouts.Idle, ctx, maxErrorBody) {
		return
	}
	result := wire.ReadBody(req.Kind, x.body, keepText)
	x.result, x.text = &result, result.Text
	found := describe(response.Header.Get("Content-Type"))
	if wire.IsHTML(x.body) {
		found = htmlPage(x.body)
	}
	x.notExpected("a stream was asked for and the answer is " + found)
}

// htmlPage names a page that stands where an answer should, by its beginning.
func htmlPage(body []byte) string {
	return "an HTML page: " + wire.Beginning(body)
}

func describe(contentType string) string {
	if contentType == "" {
		return "of no content type"
	}
	return contentType
}

// readAll reads a whole body; false when the body broke or is larger than limit bytes, the outcome is set then.
func (x *exchange) readAll(
	response *http.Response, w *watch, idle time.Duration, ctx context.Context, limit int,
) bool {
	var body bodyParts
	if !x.readEach(response, w, idle, ctx, func(part []byte) bool {
		body.add(part)
		return body.size <= limit
	}) {
		return false
	}
	if body.size > limit {
		x.notExpected(fmt.Sprintf("the answer is larger than %d MiB", limit>>20))
		return false
	}
	x.body = body.bytes()
	return true
}

// readBeginning reads at most limit bytes of a body; false when it broke before that, the outcome is set then.
func (x *exchange) readBeginning(
	response *http.Response, w *watch, idle time.Duration, ctx context.Context, limit int,
) bool {
	return x.readEach(response, w, idle, ctx, func(part []byte) bool {
		x.body = append(x.body, part[:min(len(part), limit-len(x.body))]...)
		return len(x.body) < limit
	})
}

// readEach hands each read of a body to take, until take returns false or the body ends.
func (x *exchange) readEach(
	response *http.Response, w *watch, idle time.Duration, ctx context.Context, take func([]byte) bool,
) bool {
	var buffer readBuffer
	defer buffer.free()
	for {
		b := buffer.bytes()
		n, err := response.Body.Read(b)
		now := clock.Now()
		buffer.took(n)
		if n > 0 {
			x.bytesIn += int64(n)
			x.chunks++
			w.start(alarmIdle, now, idle)
			if !take(b[:n]) {
				x.end = now
				return true
			}
		}
		if errors.Is(err, io.EOF) {
			x.end = now
			return true
		}
		if err != nil {
			x.broken(ctx, err)
			return false
		}
	}
}

// milliseconds is the time between two moments; nil where the second did not come.
func milliseconds(from, to clock.Moment) *float64 {
	if to == 0 {
		return nil
	}
	ms := clock.Milliseconds(to.Since(from))
	return &ms
}
