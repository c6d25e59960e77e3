package call

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"weighbridge.dev/xk6/outcome"
)

const messageStart = "event: message_start\n" +
	`data: {"type":"message_start","message":{"id":"g","model":"m","content":[],"usage":{"input_tokens":7,"output_tokens":1}}}` + "\n\n"

func messageDelta(text string) string {
	return "event: content_block_delta\n" +
		`data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"` + text + `"}}` + "\n\n"
}

// left waits until the server sees that its client is gone.
func left(r *http.Request, seen chan<- struct{}) {
	<-r.Context().Done()
	close(seen)
}

func TestAStreamIsCutAfterItsEvents(t *testing.T) {
	gone := make(chan struct{})
	b := newBench(t, "", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Request-Id", "q1")
		sseHead(w)
		flush(w, messageStart)
		for _, text := range []string{"a", "b", "c"} {
			flush(w, messageDelta(text))
		}
		left(r, gone)
	})
	req := kindRequest("messages", true)
	req.StopAfter.Events = 3
	row := b.call(t, req).Row
	wantOutcome(t, row, outcome.Aborted, outcome.ErrorNone)
	if counts := b.caller.Run.Counts.Of(row.Scenario); counts.Aborted.Load() != 1 || counts.Finished.Load() != 1 {
		t.Errorf("%d aborted of %d finished", counts.Aborted.Load(), counts.Finished.Load())
	}
	<-gone
	if *row.Events != 3 || *row.OutChars != 3 || row.TextSHA256 == nil || *row.TerminalSeen || row.TTFTMS == nil {
		t.Errorf("what was seen is not in the row: %+v", row)
	}
	if row.Usage == nil || *row.Usage.Input != 7 || *row.RequestID != "q1" || *row.Status != 200 || *row.ResponseID != "g" {
		t.Errorf("usage %+v, request id %v", row.Usage, row.RequestID)
	}
}

func TestACallIsCutAfterATime(t *testing.T) {
	cases := []struct {
		name   string
		stream bool
		answer func(http.ResponseWriter)
		events int // -1 for no answer
	}{
		{"a stream with content", true, func(w http.ResponseWriter) { sseHead(w); flush(w, delta("a")) }, 1},
		{"a stream without content", true, sseHead, 0},
		{"before the headers", true, func(http.ResponseWriter) {}, -1},
		{"a plain call before the headers", false, func(http.ResponseWriter) {}, -1},
		{"a plain call in its body", false, func(w http.ResponseWriter) { flush(w, plainChat[:20]) }, -1},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			gone := make(chan struct{})
			b := newBench(t, "", func(w http.ResponseWriter, r *http.Request) {
				c.answer(w)
				left(r, gone)
			})
			req := chatRequest(c.stream)
			req.StopAfter = StopAfter{Time: time.Second, Events: 1000}
			row := b.call(t, req).Row
			wantOutcome(t, row, outcome.Aborted, outcome.ErrorNone)
			<-gone
			if row.EndMS < 1000 || row.ErrorMessage == nil || !strings.Contains(*row.ErrorMessage, "on purpose") {
				t.Errorf("end %v, message %v", row.EndMS, row.ErrorMessage)
			}
			if c.events >= 0 && (row.Events == nil || *row.Events != c.events) {
				t.Errorf("events %v", row.Events)
			}
			if intents, rows, _ := b.lines(t); len(intents) != 1 || len(rows) != 1 {
				t.Errorf("%d intents, %d rows", len(intents), len(rows))
			}
		})
	}
}

func TestAnAnswerThatWasWholeBeforeTheCutIsOk(t *testing.T) {
	b := newBench(t, "", func(w http.ResponseWriter, r *http.Request) {
		sseHead(w)
		flush(w, delta("a")+delta("b")+chatFinish+chatDone) // the end comes in the read of the second event
		<-r.Context().Done()
	})
	req := chatRequest(true)
	req.StopAfter.Events = 2
	wantOutcome(t, b.call(t, req).Row, outcome.Ok, outcome.ErrorNone)
}

func TestARefusalBeforeTheCutIsTheAnswer(t *testing.T) {
	b := newBench(t, "", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTooManyRequests) })
	req := chatRequest(true)
	req.StopAfter = StopAfter{Time: time.Hour, Events: 1}
	wantOutcome(t, b.call(t, req).Row, outcome.HttpError, outcome.ErrorRateLimited)
}

func TestATaskIsCutAfterATime(t *testing.T) {
	cases := []struct {
		name    string
		answers map[string][]answer
		id      bool
		status  bool
	}{
		{"before its submit is answered", map[string][]answer{submit: {{0, ""}}}, false, false},
		{"while it is polled", map[string][]answer{submit: {video("queued")}, status: {video("in_progress")}}, true, true},
		{"in a poll", map[string][]answer{submit: {video("queued")}, status: {{0, ""}}}, true, true},
		{"while its content is fetched", map[string][]answer{submit: {video("completed")}, content: {{0, ""}}}, true, true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := &script{answers: c.answers}
			b := newBench(t, "", s.ServeHTTP)
			req := videoRequest()
			req.StopAfter.Time = time.Second
			result, err := b.caller.Poll(context.Background(), req, videoTask)
			if err != nil {
				t.Fatal(err)
			}
			row := result.Row
			wantOutcome(t, row, outcome.Aborted, outcome.ErrorNone)
			if (row.Job.ID != nil) != c.id || (row.Status != nil) != c.status || row.EndMS < 900 {
				t.Errorf("id %v, status %v, end %v", row.Job.ID, row.Status, row.EndMS)
			}
		})
	}
}
