package call

import (
	"context"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"weighbridge.dev/xk6/clock"
	"weighbridge.dev/xk6/outcome"
)

func TestStreamOutcomes(t *testing.T) {
	hang := func(r *http.Request) { <-r.Context().Done() }
	reset := func(w http.ResponseWriter) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			panic(err)
		}
		_ = conn.(*net.TCPConn).SetLinger(0)
		_ = conn.Close()
	}
	cases := []struct {
		name     string
		handler  http.HandlerFunc
		timeouts func(*Timeouts)
		outcome  outcome.Outcome
		error    outcome.ErrorType
		ttft     bool
	}{
		{"whole", func(w http.ResponseWriter, _ *http.Request) {
			sseHead(w)
			flush(w, delta("a")+delta("b")+chatFinish+chatDone)
		}, nil, outcome.Ok, outcome.ErrorNone, true},
		{"whole, then silent with the socket open", func(w http.ResponseWriter, r *http.Request) {
			sseHead(w)
			flush(w, delta("a")+chatFinish+chatDone)
			hang(r)
		}, nil, outcome.Ok, outcome.ErrorNone, true},
		{"EOF without terminator", func(w http.ResponseWriter, _ *http.Request) {
			sseHead(w)
			flush(w, delta("a")+delta("b"))
		}, nil, outcome.Truncated, outcome.ErrorStreamNoTerminator, true},
		{"[DONE] over a cut upstream", func(w http.ResponseWriter, _ *http.Request) {
			sseHead(w)
			flush(w, delta("a")+chatDone)
		}, nil, outcome.StreamError, outcome.ErrorStreamIncomplete, true},
		{"RST in the middle", func(w http.ResponseWriter, _ *http.Request) {
			sseHead(w)
			flush(w, delta("a"))
			reset(w)
		}, nil, outcome.Truncated, outcome.ErrorStreamTruncated, true},
		{"RST before headers", func(w http.ResponseWriter, _ *http.Request) { reset(w) },
			nil, outcome.NetError, outcome.ErrorConnectReset, false},
		{"stall after content", func(w http.ResponseWriter, r *http.Request) {
			sseHead(w)
			flush(w, delta("a"))
			hang(r)
		}, func(o *Timeouts) { o.Idle = 50 * time.Millisecond }, outcome.TimeoutIdle, outcome.ErrorTimeoutIdle, true},
		{"comments are no token", func(w http.ResponseWriter, r *http.Request) {
			sseHead(w)
			for r.Context().Err() == nil {
				flush(w, ": PING\n\n")
				time.Sleep(5 * time.Millisecond)
			}
		}, func(o *Timeouts) { o.FirstToken = 60 * time.Millisecond }, outcome.TimeoutFirstToken, outcome.ErrorTimeoutFirstToken, false},
		{"slow headers", func(_ http.ResponseWriter, r *http.Request) { hang(r) },
			func(o *Timeouts) { o.Headers = 50 * time.Millisecond }, outcome.TimeoutHeaders, outcome.ErrorTimeoutHeaders, false},
		{"endless", func(w http.ResponseWriter, r *http.Request) {
			sseHead(w)
			for r.Context().Err() == nil {
				flush(w, delta("a"))
				time.Sleep(5 * time.Millisecond)
			}
		}, func(o *Timeouts) { o.Total = 80 * time.Millisecond }, outcome.TimeoutTotal, outcome.ErrorTimeoutTotal, true},
		{"error event", func(w http.ResponseWriter, _ *http.Request) {
			sseHead(w)
			flush(w, delta("a")+"data: {\"error\":{\"message\":\"busy\",\"type\":\"t\",\"code\":\"upstream_error\"}}\n\n")
		}, nil, outcome.StreamError, outcome.ErrorStreamErrorEvent, true},
		{"an event that is no JSON", func(w http.ResponseWriter, _ *http.Request) {
			sseHead(w)
			flush(w, delta("a")+"data: {\"choices\":[{\"index\"\n\n"+chatFinish+chatDone)
		}, nil, outcome.StreamError, outcome.ErrorStreamBadJson, true},
		{"no event at all", func(w http.ResponseWriter, _ *http.Request) { sseHead(w) },
			nil, outcome.StreamError, outcome.ErrorStreamEmpty, false},
		{"HTML with 200", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			flush(w, "<html>oops</html>")
		}, nil, outcome.BadResponse, outcome.ErrorSchemaMismatch, false},
		{"JSON with 200", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			flush(w, `{"choices":[{"index":0,"message":{"role":"assistant","content":"x"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":1}}`)
		}, nil, outcome.BadResponse, outcome.ErrorSchemaMismatch, false},
		{"an event beyond the limit", func(w http.ResponseWriter, _ *http.Request) {
			sseHead(w)
			flush(w, "data: "+strings.Repeat("x", maxEvent+1))
		}, nil, outcome.StreamError, outcome.ErrorStreamOversize, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, "", c.handler)
			if c.timeouts != nil {
				c.timeouts(&b.caller.Timeouts)
			}
			row := b.call(t, chatRequest(true)).Row
			wantOutcome(t, row, c.outcome, c.error)
			if (row.TTFTMS != nil) != c.ttft {
				t.Errorf("want a TTFT: %v, found %v", c.ttft, row.TTFTMS)
			}
			intents, rows, _ := b.lines(t)
			if len(intents) != 1 || len(rows) != 1 {
				t.Errorf("want one intent and one row, found %d and %d", len(intents), len(rows))
			}
		})
	}
}

func TestTheEndIsTheTerminalEventNotTheClose(t *testing.T) {
	b := newBench(t, "", func(w http.ResponseWriter, r *http.Request) {
		sseHead(w)
		flush(w, delta("a")+chatFinish+chatDone)
		<-r.Context().Done() // until the client lets go
	})
	before := clock.Now()
	row := b.call(t, chatRequest(true)).Row
	if whole := clock.Milliseconds(clock.Now().Since(before)); whole < 200 || row.EndMS > whole-150 {
		t.Errorf("the call took %v ms in all, its end is at %v ms", whole, row.EndMS)
	}
}

func TestStreamTimesAndGaps(t *testing.T) {
	step := make(chan struct{})
	b := newBench(t, "", func(w http.ResponseWriter, _ *http.Request) {
		sseHead(w)
		flush(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}]}\n\n")
		<-step
		flush(w, delta("a")+delta("b")) // one chunk: a gap of 0
		time.Sleep(30 * time.Millisecond)
		flush(w, delta("c")+chatFinish+chatDone)
	})
	time.AfterFunc(40*time.Millisecond, func() { close(step) })
	row := b.call(t, chatRequest(true)).Row
	wantOutcome(t, row, outcome.Ok, outcome.ErrorNone)
	if *row.FirstEventMS >= *row.TTFTMS || *row.TTFTMS < 39 {
		t.Errorf("an event without text is no token: first event %v, ttft %v", *row.FirstEventMS, *row.TTFTMS)
	}
	if *row.Events != 3 || len(row.ITL) != 2 || row.ITL[0] != [2]float64{0, 1} || row.ITL[1][1] != 1 {
		t.Errorf("events %d, itl %v", *row.Events, row.ITL)
	}
	if *row.MaxGapMS < 29 || row.ITL[1][0] < 29 {
		t.Errorf("max gap %v, itl %v", *row.MaxGapMS, row.ITL)
	}
	if row.Usage == nil || *row.Usage.Output != 2 || *row.OutChars != 3 || row.TerminalSeen == nil || !*row.TerminalSeen {
		t.Errorf("row %+v", row)
	}
}

func TestAnInterruptedStreamHasItsRow(t *testing.T) {
	ctx, interrupt := context.WithCancel(context.Background())
	b := newBench(t, "", func(w http.ResponseWriter, r *http.Request) {
		sseHead(w)
		flush(w, delta("a"))
		interrupt()
		<-r.Context().Done()
	})
	result, err := b.caller.Call(ctx, chatRequest(true))
	if err != nil {
		t.Fatal(err)
	}
	wantOutcome(t, result.Row, outcome.Interrupted, outcome.ErrorNone)
	if _, rows, _ := b.lines(t); len(rows) != 1 || rows[0].Outcome != "interrupted" {
		t.Fatalf("rows: %+v", rows)
	}
}

func TestAPanicLeavesARow(t *testing.T) {
	b := newBench(t, "", func(http.ResponseWriter, *http.Request) {})
	b.caller.Transport = panics{}
	if _, err := b.caller.Call(context.Background(), chatRequest(true)); err == nil || !strings.Contains(err.Error(), "boom") {
		t.Fatalf("want the panic as an error, found %v", err)
	}
	intents, rows, _ := b.lines(t)
	if len(intents) != 1 || len(rows) != 1 || rows[0].Outcome != "interrupted" {
		t.Fatalf("intents %d, rows %+v", len(intents), rows)
	}
	if inFlight := b.caller.Run.Counts.Of("s").InFlight.Load(); inFlight != 0 {
		t.Errorf("in flight: %d", inFlight)
	}
}

type panics struct{}

func (panics) RoundTrip(*http.Request) (*http.Response, error) { panic("boom") }

func TestNothingListening(t *testing.T) {
	b := newBench(t, "", func(http.ResponseWriter, *http.Request) {})
	b.server.Close()
	wantOutcome(t, b.call(t, chatRequest(true)).Row, outcome.NetError, outcome.ErrorConnectRefused)
}

func TestConnectTimeout(t *testing.T) {
	b := newBench(t, "", func(http.ResponseWriter, *http.Request) {})
	b.caller.Timeouts.Connect = 30 * time.Millisecond
	b.caller.Transport = &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}}
	wantOutcome(t, b.call(t, chatRequest(true)).Row, outcome.TimeoutConnect, outcome.ErrorTimeoutConnect)
}

// A reason to stop ends a stream only where that is allowed, and only where the target closed it itself.
func TestAReasonToStopMayEndAStream(t *testing.T) {
	for name, c := range map[string]struct {
		events  string
		allowed bool
		broken  bool
		want    outcome.Outcome
	}{
		"not allowed":      {delta("a") + chatFinish, false, false, outcome.Truncated},
		"allowed":          {delta("a") + chatFinish, true, false, outcome.Ok},
		"without a reason": {delta("a"), true, false, outcome.Truncated},
		"broken off":       {delta("a") + chatFinish, true, true, outcome.Truncated},
	} {
		b := newBench(t, "", func(w http.ResponseWriter, _ *http.Request) {
			sseHead(w)
			flush(w, c.events)
			if c.broken {
				panic(http.ErrAbortHandler)
			}
		})
		req := chatRequest(true)
		req.FinishEnds = c.allowed
		result, err := b.caller.Call(context.Background(), req)
		if err != nil || result.Row.Outcome != string(c.want) {
			t.Errorf("%s: %s, %v", name, result.Row.Outcome, err)
		}
		if told := b.caller.Run.Counts.Of("s").Unmarked.Load(); told != (c.want == outcome.Ok) {
			t.Errorf("%s: told %t", name, told)
		}
	}
}
