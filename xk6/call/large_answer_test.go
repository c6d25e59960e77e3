package call

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"weighbridge.dev/xk6/outcome"
	"weighbridge.dev/xk6/wire"
)

var longText = strings.Repeat("é", 1<<20)

func TestARowIsSmallWhateverTheAnswerHolds(t *testing.T) {
	usage := `{"prompt_tokens":5,"completion_tokens":2,"note":"` + longText + `"}`
	b := newBench(t, capPlan("1"), func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Request-Id", strings.Repeat("q", 5000))
		finish := fmt.Sprintf(`"finish_reason":%q}]`, longText)
		identity := fmt.Sprintf(`"id":%q,"model":%q,"service_tier":%q`, longText, longText, longText)
		switch r.Header.Get("X-Test") {
		case "stream":
			sseHead(w)
			flush(w, `data: {`+identity+`,"choices":[{"index":0,"delta":{"content":"x"},`+finish+`,"usage":`+usage+"}\n\n"+chatDone)
		case "refused":
			w.WriteHeader(400)
			flush(w, fmt.Sprintf(`{"error":{"message":"m%s","type":%q,"code":%q}}`,
				manyIDs(), longText[:20_000], longText[:20_000]))
		default:
			flush(w, `{`+identity+`,"choices":[{"index":0,"message":{"content":"x"},`+finish+`,"usage":`+usage+`}`)
		}
	})
	for _, answer := range []string{"plain", "stream", "refused"} {
		req := chatRequest(answer == "stream")
		req.Header.Set("X-Test", answer)
		row := b.call(t, req).Row
		if answer == "refused" {
			wantOutcome(t, row, outcome.HttpError, outcome.ErrorTypeOfAnswer(400, ""))
			if len(row.RequestIDs) != wire.MaxRequestIDs {
				t.Errorf("%d request ids", len(row.RequestIDs))
			}
			continue
		}
		wantOutcome(t, row, outcome.Ok, outcome.ErrorNone)
		for name, kept := range map[string]struct {
			text *string
			most int
		}{
			"response_id": {row.ResponseID, wire.MaxID}, "request_id": {row.RequestID, wire.MaxID},
			"response_model": {row.ResponseModel, maxMessage}, "service_tier": {row.ServiceTier, maxMessage},
			"finish": {row.Finish, maxMessage},
		} {
			if kept.text == nil || utf8.RuneCountInString(*kept.text) != kept.most {
				t.Errorf("%s: %s is not cut", answer, name)
			}
		}
		if row.Usage.Raw != nil || *row.Usage.Input != 5 || *row.Usage.Output != 2 {
			t.Errorf("%s: %d bytes of usage, %v and %v tokens", answer, len(row.Usage.Raw), row.Usage.Input, row.Usage.Output)
		}
	}
	_, rows, text := b.lines(t)
	if len(rows) != 3 || len(text) > 64<<10 {
		t.Errorf("%d rows, %d bytes", len(rows), len(text))
	}
}

func manyIDs() (ids string) {
	for n := range 40 {
		ids += fmt.Sprintf(" (request id: q%d)", n)
	}
	return ids
}

func TestAnAnswerWithoutEndIsCutOff(t *testing.T) {
	for kind, limit := range map[string]int64{"chat": maxBody, "messages": maxBody, "read": maxBody, "image": maxImageBody} {
		block := []byte(strings.Repeat(" ", 1<<20))
		b := newBench(t, "", func(w http.ResponseWriter, _ *http.Request) {
			for {
				if _, err := w.Write(block); err != nil {
					return
				}
			}
		})
		b.caller.Timeouts.Total, b.caller.Timeouts.Idle = time.Minute, time.Minute
		row := b.call(t, kindRequest(kind, false)).Row
		wantOutcome(t, row, outcome.BadResponse, outcome.ErrorSchemaMismatch)
		if want := fmt.Sprintf("the answer is larger than %d MiB", limit>>20); *row.ErrorMessage != want {
			t.Errorf("%s: %s", kind, *row.ErrorMessage)
		}
		if *row.BytesIn <= limit || *row.BytesIn > limit+largeBuffer {
			t.Errorf("%s: %d bytes were read", kind, *row.BytesIn)
		}
	}
}

func TestABodyIsWholeWhateverItsLength(t *testing.T) {
	for _, size := range []int{0, 1, wholePart - 1, wholePart, wholePart + 1, wholePart + largePart, 1 << 20} {
		for _, step := range []int{1 << 10, 4097, 1 << 19} {
			want := make([]byte, size)
			for i := range want {
				want[i] = byte(i * 31 >> 3)
			}
			var body bodyParts
			for rest := want; len(rest) > 0; rest = rest[min(step, len(rest)):] {
				body.add(rest[:min(step, len(rest))])
			}
			if got := body.bytes(); !bytes.Equal(got, want) || body.size != size {
				t.Errorf("%d bytes by %d: %d came out", size, step, len(got))
			}
		}
	}
}

func TestALinkAndAnIdentifierHaveALength(t *testing.T) {
	b := newBench(t, "", func(w http.ResponseWriter, _ *http.Request) {
		flush(w, `{"created":1,"data":[{"url":"http://127.0.0.1/`+strings.Repeat("x", maxLink)+`"}]}`)
	})
	result := b.call(t, kindRequest("image", false))
	wantOutcome(t, result.Row, outcome.BadResponse, outcome.ErrorSchemaMismatch)
	if result.URL != nil {
		t.Error("the link is handed on")
	}
	s := &script{answers: map[string][]answer{
		submit: {{200, `{"id":"` + strings.Repeat("v", maxTaskID+1) + `","status":"queued"}`}},
	}}
	b = newBench(t, "", s.ServeHTTP)
	task, err := b.caller.Poll(t.Context(), videoRequest(), videoTask)
	if err != nil {
		t.Fatal(err)
	}
	wantOutcome(t, task.Row, outcome.BadResponse, outcome.ErrorSchemaMismatch)
	if task.Row.Job.Polls != 0 {
		t.Error("it was polled")
	}
}
