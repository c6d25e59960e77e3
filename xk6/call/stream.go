package call

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"time"

	"weighbridge.dev/xk6/clock"
	"weighbridge.dev/xk6/outcome"
	"weighbridge.dev/xk6/sse"
	"weighbridge.dev/xk6/wire"
)

// readStream reads server-sent events; all events that one read completes carry that read's stamp.
func readStream(kind string) reader {
	return func(x *exchange, response *http.Response, w *watch, ctx context.Context) {
		mediaType, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
		if mediaType != "text/event-stream" {
			x.notAStream(kind, response, w, ctx)
			return
		}
		w.disarm(outcome.TimeoutIdle) // before the first content its own timer runs
		stream, parser := wire.NewStream(kind), sse.NewParser(maxEvent)
		terminal, drained := false, 0
		buffer := buffers.Get().(*[]byte)
		defer buffers.Put(buffer)
		for {
			n, err := response.Body.Read(*buffer)
			now := clock.Now()
			if n > 0 {
				x.bytesIn += int64(n)
				if terminal {
					drained += n
				} else {
					x.chunks++
					feedErr := parser.Feed((*buffer)[:n], func(event sse.Event) {
						if terminal {
							return
						}
						step := stream.Event(event)
						x.event(now, step, w)
						if terminal = step.Terminal; terminal {
							x.end = moment(now)
							w.drain()
						}
					})
					if feedErr != nil {
						result := stream.Result()
						x.result = &result
						x.end = moment(now)
						x.finish(outcome.StreamError, outcome.ErrorStreamOversize, feedErr.Error())
						return
					}
					if x.ttft != nil && !terminal {
						w.start(outcome.TimeoutIdle, w.timeouts.Idle)
					}
				}
			}
			if err != nil || drained > drainBytes {
				if x.end == nil {
					x.end = moment(now)
				}
				result := stream.Result()
				x.result = &result
				x.judgeStream(ctx, result, terminal, err)
				return
			}
		}
	}
}

// event accounts for one event.
func (x *exchange) event(now clock.Moment, step wire.Step, w *watch) {
	if x.firstEvent == nil {
		x.firstEvent = moment(now)
	}
	if step.Visible && x.ttfo == nil {
		x.ttfo = moment(now)
	}
	if !step.Content {
		return
	}
	x.events++
	if x.lastContent == nil {
		x.ttft = moment(now)
		w.disarm(outcome.TimeoutFirstToken)
	} else {
		gap := now.Since(*x.lastContent)
		x.gaps.add(gap)
		x.maxGap = max(x.maxGap, gap)
	}
	x.lastContent = moment(now)
}

// judgeStream decides the outcome: only the format's own complete ending is ok (design §5).
func (x *exchange) judgeStream(ctx context.Context, result wire.Result, terminal bool, err error) {
	x.code, x.apiType = result.ErrorCode, result.APIErrorType
	errorType := outcome.ErrorType(result.ErrorType)
	switch {
	case result.Complete:
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
func (x *exchange) notAStream(kind string, response *http.Response, w *watch, ctx context.Context) {
	w.disarm(outcome.TimeoutFirstToken)
	if !x.readAll(response, w, ctx, maxErrorBody) {
		return
	}
	result := wire.ReadBody(kind, x.body)
	x.result = &result
	x.finish(outcome.BadResponse, outcome.ErrorSchemaMismatch,
		"a stream was asked for and the answer is "+describe(response.Header.Get("Content-Type")))
}

func describe(contentType string) string {
	if contentType == "" {
		return "of no content type"
	}
	return contentType
}

// readAll reads a whole body of at most limit bytes; false when the body broke, the outcome is set then.
func (x *exchange) readAll(response *http.Response, w *watch, ctx context.Context, limit int) bool {
	return x.readEach(response, w, ctx, func(part []byte) bool {
		if len(x.body)+len(part) > limit {
			return false
		}
		x.body = append(x.body, part...)
		return true
	})
}

// readEach hands each read of a body to take, until take returns false or the body ends.
func (x *exchange) readEach(response *http.Response, w *watch, ctx context.Context, take func([]byte) bool) bool {
	buffer := buffers.Get().(*[]byte)
	defer buffers.Put(buffer)
	for {
		n, err := response.Body.Read(*buffer)
		now := clock.Now()
		if n > 0 {
			x.bytesIn += int64(n)
			x.chunks++
			w.start(outcome.TimeoutIdle, w.timeouts.Idle)
			if !take((*buffer)[:n]) {
				x.end = moment(now)
				return true
			}
		}
		if errors.Is(err, io.EOF) {
			x.end = moment(now)
			return true
		}
		if err != nil {
			x.broken(ctx, err)
			return false
		}
	}
}

func milliseconds(from clock.Moment, to *clock.Moment) *float64 {
	if to == nil {
		return nil
	}
	ms := clock.Milliseconds(time.Duration(*to - from))
	return &ms
}
