package call

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"weighbridge.dev/xk6/clock"
	"weighbridge.dev/xk6/halt"
	"weighbridge.dev/xk6/load"
	"weighbridge.dev/xk6/outcome"
	"weighbridge.dev/xk6/plan"
)

// retryPlan lets a call be made so many times, with waits of 2, 4, 8 … ms up to maxWaitMS.
func retryPlan(attempts int, maxWaitMS float64) string {
	return fmt.Sprintf(`{"schema":"weighbridge.plan/1","run_id":"r","plan_hash":"h",
		"workload":{"seed":1,"retry":{"max_attempts":%d,"first_wait_ms":2,"factor":2,"max_wait_ms":%g,"jitter":0.5}},
		"cap":{"max_spend_usd":null,"bounds":[]}}`, attempts, maxWaitMS)
}

// retrying answers paid calls with the next answer and usage reads with one page.
type retrying struct {
	mu      sync.Mutex
	answers []func(http.ResponseWriter)
	pages   []string // the last one stays
	bodies  []string
	reads   []string
}

func (s *retrying) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	if r.Method == http.MethodGet {
		s.reads = append(s.reads, r.URL.RequestURI())
		page := s.pages[min(len(s.reads), len(s.pages))-1]
		s.mu.Unlock()
		if page == "" {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		flush(w, page)
		return
	}
	answer := s.answers[min(len(s.bodies), len(s.answers)-1)]
	s.bodies = append(s.bodies, "")
	s.mu.Unlock()
	answer(w)
}

func refuses(status int, code string, header ...string) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		flush(w, `{"error":{"message":"m (request id: q1)","type":"new_api_error","code":"`+code+`"}}`)
	}
}

func answers(w http.ResponseWriter) { flush(w, plainChat) }

// breaks names the request and leaves in the middle of the answer.
func breaks(id string) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) {
		if id != "" {
			w.Header().Set("X-Request-Id", id)
		}
		w.Header().Set("Content-Length", "500")
		flush(w, plainChat[:50])
		panic(http.ErrAbortHandler)
	}
}

func usagePage(records string) string { return `{"data":[` + records + `],"has_more":false}` }

func record(status, amount, refunded string) string {
	return recordOf("q 1", status, amount, refunded)
}

func recordOf(requestID, status, amount, refunded string) string {
	return fmt.Sprintf(`{"id":"u1","request_id":%q,"billing_status":%q,"amount":%q,"refunded_amount":%q}`,
		requestID, status, amount, refunded)
}

func TestRetries(t *testing.T) {
	const most = 4
	again := []func(http.ResponseWriter){refuses(503, "upstream_error"), answers}
	broken := []func(http.ResponseWriter){breaks("q 1"), answers}
	none, free, charged := usagePage(""), usagePage(record("settled", "0", "0")), usagePage(record("settled", "0.5", "0"))
	always := func(answer func(http.ResponseWriter)) []func(http.ResponseWriter) {
		return []func(http.ResponseWriter){answer}
	}
	cases := []struct {
		name     string
		answers  []func(http.ResponseWriter)
		pages    string // one after another
		outcome  outcome.Outcome
		attempts int
		reads    int
	}{
		{"an error that passes", again, "", outcome.Ok, 2, 0},
		{"an error that stays", always(refuses(503, "")), "", outcome.HttpError, most, 0},
		{"crowded", always(refuses(429, "upstream_crowded")), "", outcome.HttpError, most, 0},
		{"unavailable", always(refuses(502, "upstream_unavailable")), "", outcome.HttpError, most, 0},
		{"rejected", always(refuses(400, "upstream_rejected")), "", outcome.HttpError, 2, 0},
		{"malformed", always(refuses(400, "")), "", outcome.HttpError, 1, 0},
		{"no credit", always(refuses(402, "insufficient_user_quota")), "", outcome.HttpError, 1, 0},
		{"Retry-After within the longest wait", []func(http.ResponseWriter){refuses(429, "", "Retry-After", "0.02"), answers}, "", outcome.Ok, 2, 0},
		{"Retry-After beyond the longest wait", always(refuses(429, "", "Retry-After", "31")), "", outcome.HttpError, 1, 0},
		{"cut, no record", broken, none, outcome.Truncated, 1, usageLooks},
		{"cut, a free record that comes late", broken, none + "|" + none + "|" + free, outcome.Ok, 2, 3},
		{"cut, a charge that comes late", broken, none + "|" + none + "|" + charged, outcome.Truncated, 1, 3},
		{"cut, a pending record that is refunded later", broken,
			usagePage(record("pending", "0", "0")) + "|" + usagePage(record("refunded", "0", "0.5")), outcome.Ok, 2, 2},
		{"cut, a read that fails once", broken, "|" + free, outcome.Ok, 2, 2},
		{"cut, a record of another request", broken, usagePage(recordOf("q 2", "settled", "0", "0")), outcome.Truncated, 1, usageLooks},
		{"cut, also a free record of another request", broken,
			usagePage(recordOf("q 2", "settled", "0", "0") + "," + record("settled", "0", "0")), outcome.Ok, 2, 1},
		{"cut, also a charge of another request", broken,
			usagePage(record("settled", "0", "0") + "," + recordOf("q 2", "settled", "1", "0")), outcome.Truncated, 1, 1},
		{"cut, a record whose own id was asked for", broken,
			usagePage(strings.Replace(recordOf("r", "settled", "0", "0"), "u1", "q 1", 1)), outcome.Ok, 2, 1},
		{"cut, two lists", broken, `{"data":[` + record("settled", "0.5", "0") + `],"data":[` + record("settled", "0", "0") + `],"has_more":false}`,
			outcome.Truncated, 1, usageLooks},
		{"cut, an amount told twice", broken,
			usagePage(strings.Replace(record("settled", "0", "0"), `"amount"`, `"amount":"0.5","amount"`, 1)), outcome.Truncated, 1, usageLooks},
		{"cut, refunded, amount before the refund", broken, usagePage(record("refunded", "0.5", "0.50")), outcome.Ok, 2, 1},
		{"cut, refunded, amount after the refund", broken, usagePage(record("refunded", "0", "0.5")), outcome.Ok, 2, 1},
		{"cut, settled at nothing", broken, usagePage(record("settled", "0.000", "0")), outcome.Ok, 2, 1},
		{"cut, charged", broken, usagePage(record("settled", "0.5", "0")), outcome.Truncated, 1, 1},
		{"cut, refunded in part", broken, usagePage(record("refunded", "0.5", "0.2")), outcome.Truncated, 1, 1},
		{"cut, pending", broken, usagePage(record("pending", "0", "0")), outcome.Truncated, 1, usageLooks},
		{"cut, a status of another name", broken, usagePage(record("done", "0", "0")), outcome.Truncated, 1, usageLooks},
		{"cut, one of two charged", broken, usagePage(record("refunded", "0", "0.5") + "," + record("settled", "0.1", "0")), outcome.Truncated, 1, 1},
		{"cut, an amount that is no number", broken, usagePage(record("settled", "none", "0")), outcome.Truncated, 1, usageLooks},
		{"cut, more pages", broken, `{"data":[` + record("settled", "0", "0") + `],"has_more":true}`, outcome.Truncated, 1, usageLooks},
		{"cut, no list", broken, `{"has_more":false}`, outcome.Truncated, 1, usageLooks},
		{"cut, the read fails", broken, "", outcome.Truncated, 1, usageLooks},
		{"cut without a request id", []func(http.ResponseWriter){breaks(""), answers}, usagePage(""), outcome.Truncated, 1, 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := &retrying{answers: c.answers, pages: strings.Split(c.pages, "|")}
			b := newBench(t, retryPlan(most, 30_000), s.ServeHTTP)
			result := b.call(t, chatRequest(false))
			if result.Row.Outcome != string(c.outcome) || result.Attempt != c.attempts || result.Retries != c.attempts-1 {
				t.Errorf("%s at attempt %d after %d retries", result.Row.Outcome, result.Attempt, result.Retries)
			}
			if retried := b.caller.Run.Counts.Of("s").Retried.Load(); retried != int64(c.attempts-1) {
				t.Errorf("%d attempts counted as retried", retried)
			}
			if len(s.bodies) != c.attempts || len(s.reads) != c.reads {
				t.Errorf("%d paid requests, %d reads", len(s.bodies), len(s.reads))
			}
			if c.reads > 0 && s.reads[0] != "/v1/usage/requests?request_id=q+1" {
				t.Errorf("read %s", s.reads[0])
			}
			intents, rows, _ := b.lines(t)
			if len(intents) != c.attempts || len(rows) != c.attempts+c.reads {
				t.Fatalf("%d intents, %d rows", len(intents), len(rows))
			}
			attempt := 0
			for _, row := range rows {
				if row.Kind == "read" {
					continue
				}
				attempt++
				if row.Attempt != attempt || row.CallID != fmt.Sprintf("i0/s/0/%d", attempt) || row.LogicalID != "s/0" {
					t.Errorf("attempt %d: %d, %s of %s", attempt, row.Attempt, row.CallID, row.LogicalID)
				}
			}
		})
	}
}

func TestATaskIsCreatedAgainOnlyBeforeItWasAccepted(t *testing.T) {
	s := &script{answers: map[string][]answer{
		submit: {{503, ""}, video("queued")}, status: {{404, ""}},
	}}
	b := newBench(t, retryPlan(5, 30_000), s.ServeHTTP)
	result, err := b.caller.Poll(context.Background(), videoRequest(), videoTask)
	if err != nil {
		t.Fatal(err)
	}
	wantOutcome(t, result.Row, outcome.TaskLost, outcome.ErrorTaskLost)
	if result.Attempt != 2 || result.Retries != 1 {
		t.Errorf("attempt %d, %d retries", result.Attempt, result.Retries)
	}
}

func TestWithoutAPolicyNothingIsSentAgain(t *testing.T) {
	for _, text := range []string{"", retryPlan(1, 30_000)} {
		s := &retrying{answers: []func(http.ResponseWriter){refuses(503, "upstream_error")}}
		b := newBench(t, text, s.ServeHTTP)
		if result := b.call(t, chatRequest(false)); result.Attempt != 1 || result.Retries != 0 || len(s.bodies) != 1 {
			t.Errorf("attempt %d, %d requests", result.Attempt, len(s.bodies))
		}
	}
}

func TestANetworkErrorBeforeAnythingWasWritten(t *testing.T) {
	s := &retrying{answers: []func(http.ResponseWriter){answers}}
	b := newBench(t, retryPlan(3, 30_000), s.ServeHTTP)
	var dials atomic.Int64
	b.caller.Transport = &http.Transport{DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		var dialer net.Dialer
		if dials.Add(1) == 1 {
			address = "127.0.0.1:1" // nobody listens there
		}
		return dialer.DialContext(ctx, network, address)
	}}
	if result := b.call(t, chatRequest(false)); result.Row.Outcome != "ok" || result.Attempt != 2 {
		t.Errorf("%s at attempt %d", result.Row.Outcome, result.Attempt)
	}
}

func TestEveryAttemptHasItsOwnMarker(t *testing.T) {
	var bodies []string
	b := newBench(t, retryPlan(3, 30_000), func(http.ResponseWriter, *http.Request) {})
	b.caller.Transport = reads{b.caller.Transport, &bodies}
	b.server.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusServiceUnavailable)
	})
	req := chatRequest(false)
	req.Marker, req.Body = "wb-i0/s/0/1", []byte(`{"prompt":"wb-i0/s/0/1 and on"}`)
	req.NextMarker = func(callID string) string { return "wb-" + callID }
	b.call(t, req)
	want := `{"prompt":"wb-i0/s/0/1 and on"} {"prompt":"wb-i0/s/0/2 and on"} {"prompt":"wb-i0/s/0/3 and on"}`
	if got := strings.Join(bodies, " "); got != want {
		t.Errorf("sent %s", got)
	}
	req.NextMarker = func(string) string { return "of another length" }
	if _, err := b.caller.Call(context.Background(), req); err == nil || !strings.Contains(err.Error(), "marker") {
		t.Errorf("want an error on the marker, found %v", err)
	}
}

// reads notes each body on its way.
type reads struct {
	http.RoundTripper
	bodies *[]string
}

func (r reads) RoundTrip(req *http.Request) (*http.Response, error) {
	text, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	*r.bodies = append(*r.bodies, string(text))
	again := req.Clone(req.Context())
	again.Body = io.NopCloser(strings.NewReader(string(text)))
	return r.RoundTripper.RoundTrip(again)
}

func TestWaits(t *testing.T) {
	b := newBench(t, retryPlan(9, 10), func(http.ResponseWriter, *http.Request) {})
	asked := 0.005
	cases := []struct {
		manner  RetryManner
		retries int
		after   *float64
		least   time.Duration // and at most half as much again, by the jitter
	}{
		{RetryGrowing, 0, nil, 2 * time.Millisecond},
		{RetryGrowing, 1, nil, 4 * time.Millisecond},
		{RetryGrowing, 2, nil, 8 * time.Millisecond},
		{RetryGrowing, 7, nil, 10 * time.Millisecond},
		{RetryIfFree, 2, nil, 8 * time.Millisecond},
		{RetrySoon, 7, nil, 2 * time.Millisecond},
		{RetryOnce, 3, nil, 2 * time.Millisecond},
		{RetrySoon, 0, &asked, 5 * time.Millisecond},
		{RetryGrowing, 2, &asked, 8 * time.Millisecond},
	}
	seen := map[time.Duration]bool{}
	for _, c := range cases {
		r := retrier{caller: b.caller, policy: b.caller.Run.Plan.Workload.Retry, retries: c.retries}
		for call := range 20 {
			req := chatRequest(false)
			req.CallID = fmt.Sprintf("i0/s/%d/1", call)
			wait, ok := r.wait(c.manner, req, c.after)
			if !ok || wait < c.least || wait > c.least+c.least/2 {
				t.Errorf("%s after %d retries: %s", c.manner, c.retries, wait)
			}
			if same, _ := r.wait(c.manner, req, c.after); same != wait {
				t.Errorf("the same call waits %s, then %s", wait, same)
			}
			seen[wait] = true
		}
	}
	if len(seen) < 80 {
		t.Errorf("%d different waits: calls would come back together", len(seen))
	}
	long := 0.011
	r := retrier{caller: b.caller, policy: b.caller.Run.Plan.Workload.Retry}
	if wait, ok := r.wait(RetryGrowing, chatRequest(false), &long); ok {
		t.Errorf("Retry-After asks for more than the longest wait, and the wait is %s", wait)
	}
}

func TestARefusalWithRetryAfterPausesItsModel(t *testing.T) {
	header := []string{"Retry-After", "3600"}
	b := newBench(t, retryPlan(3, 30_000), func(w http.ResponseWriter, _ *http.Request) {
		refuses(429, "upstream_crowded", header...)(w)
	})
	before := clock.Now()
	if result := b.call(t, chatRequest(false)); result.Attempt != 1 {
		t.Errorf("attempt %d", result.Attempt)
	}
	pauses, of := b.caller.Run.Pauses, b.caller.Run.Key.Fingerprint()
	if until := pauses.Until(load.Limited{Model: "m", KeyFP: of}); until < before.Add(time.Hour) || until > clock.Now().Add(time.Hour) {
		t.Errorf("paused until %v", until)
	}
	if pauses.Paused(load.Limited{Model: "other", KeyFP: of}, clock.Now()) {
		t.Error("another model was not refused")
	}
	header = nil // what is refused while its model is paused waits for the pause, which is too long here
	if result := b.call(t, chatRequest(false)); result.Attempt != 1 {
		t.Errorf("a paused model was called %d times", result.Attempt)
	}
}

func TestAWaitEndsWithTheRun(t *testing.T) {
	policy := strings.Replace(retryPlan(3, 3_600_000), `"first_wait_ms":2`, `"first_wait_ms":3600000`, 1)
	t.Run("halted", func(t *testing.T) {
		b := newBench(t, policy, func(w http.ResponseWriter, _ *http.Request) { refuses(503, "")(w) })
		go func() {
			for b.caller.Run.Counts.Of("s").Finished.Load() == 0 {
				time.Sleep(time.Millisecond)
			}
			b.caller.Run.Halt.Set(halt.CreditKept)
		}()
		if result := b.call(t, chatRequest(false)); result.Attempt != 1 || result.Row.Outcome != "http_error" {
			t.Errorf("attempt %d: %s", result.Attempt, result.Row.Outcome)
		}
		if b.caller.Run.Counts.Of("s").Retried.Load() != 0 {
			t.Error("a call that was not made again counts as retried")
		}
	})
	t.Run("over", func(t *testing.T) {
		b := newBench(t, policy, func(w http.ResponseWriter, _ *http.Request) { refuses(503, "")(w) })
		ctx, cancel := context.WithCancel(context.Background())
		go func() {
			for b.caller.Run.Counts.Of("s").Finished.Load() == 0 {
				time.Sleep(time.Millisecond)
			}
			cancel()
		}()
		result, err := b.caller.Call(ctx, chatRequest(false))
		if err != nil || result.Attempt != 1 || result.Row.Outcome != "http_error" {
			t.Errorf("attempt %d: %s, %v", result.Attempt, result.Row.Outcome, err)
		}
	})
}

func TestARetryNeedsRoomInTheSpendCap(t *testing.T) {
	text := strings.Replace(capPlan("0.000000002035"), `"seed":1`,
		`"seed":1,"retry":{"max_attempts":3,"first_wait_ms":1,"factor":2,"max_wait_ms":10,"jitter":0}`, 1)
	requests := 0
	b := newBench(t, text, func(w http.ResponseWriter, _ *http.Request) {
		requests++
		refuses(503, "")(w) // keeps its worst case
	})
	result := b.call(t, chatRequest(false))
	if result.Row.Outcome != "not_sent" || result.Attempt != 2 || *result.NotSent != "spend_cap" || requests != 1 {
		t.Errorf("%s at attempt %d, %d requests", result.Row.Outcome, result.Attempt, requests)
	}
	if intents, rows, _ := b.lines(t); len(intents) != 1 || len(rows) != 2 || rows[1].CallID != "i0/s/0/2" {
		t.Errorf("%d intents, rows %+v", len(intents), rows)
	}
}

func TestOnlyTheFirstAttemptWasPlanned(t *testing.T) {
	s := &retrying{answers: []func(http.ResponseWriter){refuses(503, ""), answers}}
	b := newBench(t, retryPlan(3, 30_000), s.ServeHTTP)
	n := int64(0)
	b.caller.VU, b.caller.Iteration = 7, &n
	b.caller.Run.Planned.Set(7, n, load.PlannedStart{At: clock.Now(), Timed: true, Phase: plan.Measured})
	b.call(t, chatRequest(false))
	_, rows, _ := b.lines(t)
	if len(rows) != 2 || rows[0].PlannedAt == nil || rows[1].PlannedAt != nil || rows[1].ScheduleLagMS != nil {
		t.Errorf("rows %+v", rows)
	}
}

func TestWhatARefusalTeachesTakesNoAttemptOfThePolicy(t *testing.T) {
	s := &retrying{answers: []func(http.ResponseWriter){refuses(400, "x"), refuses(503, "upstream_error"), answers}, pages: []string{""}}
	b := newBench(t, retryPlan(2, 100), s.ServeHTTP)
	req := chatRequest(false)
	adapted := 0
	req.Adapt = func(_ *Request, message string) ([]byte, []string) {
		if adapted++; !strings.Contains(message, "m (request id") {
			t.Errorf("the message is %q", message)
		}
		return []byte(`{"other":1}`), []string{"other"}
	}
	result, err := b.caller.Call(context.Background(), req)
	if err != nil || result.Row.Outcome != "ok" || result.Attempt != 3 || adapted != 1 {
		t.Errorf("%v: %s after %d attempts, %d of them adapted", err, result.Row.Outcome, result.Attempt, adapted)
	}
	if learnt := b.caller.Run.Counts.Of("s").Learnt.Load(); learnt == nil || (*learnt)[0] != "other" {
		t.Errorf("the state lines tell %v", learnt)
	}
}
