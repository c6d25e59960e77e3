package call

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"

	"weighbridge.dev/xk6/clock"
	"weighbridge.dev/xk6/halt"
	"weighbridge.dev/xk6/load"
	"weighbridge.dev/xk6/outcome"
	"weighbridge.dev/xk6/plan"
)

// capPlan bounds model m: an input token costs 1, an output token 10, at most 100 of them, all in 10⁻¹² USD.
// The worst case of chatRequest (10 prompt bytes) is 10 + 1024 + 1000 = 2034.
func capPlan(max string) string {
	return fmt.Sprintf(`{"schema":"weighbridge.plan/1","run_id":"r","plan_hash":"h","workload":{"seed":1},
		"cap":{"max_spend_usd":%q,"bounds":[{"model":"m","kind":"chat","per_input_token":"1","per_output_token":"10","fixed":"0","max_output_tokens":100}]}}`, max)
}

func TestTheIntentIsInTheFileBeforeTheRequestArrives(t *testing.T) {
	var b *bench
	b = newBench(t, capPlan("1"), func(w http.ResponseWriter, _ *http.Request) {
		intents, rows, _ := b.lines(t)
		if len(intents) != 1 || len(rows) != 0 || intents[0].CallID != "i0/s/0/1" {
			t.Errorf("the request arrived and the ledger holds %d intents, %d rows", len(intents), len(rows))
		} else if *intents[0].WorstCaseUSD != "0.000000002034" {
			t.Errorf("worst case %s", *intents[0].WorstCaseUSD)
		}
		flush(w, plainChat)
	})
	wantOutcome(t, b.call(t, chatRequest(false)).Row, outcome.Ok, outcome.ErrorNone)
}

func TestTheCapRefusesBeforeSending(t *testing.T) {
	requests := 0
	b := newBench(t, capPlan("0.000000002035"), func(w http.ResponseWriter, _ *http.Request) {
		requests++
		w.WriteHeader(http.StatusBadGateway) // keeps its worst case
	})
	wantOutcome(t, b.call(t, chatRequest(false)).Row, outcome.HttpError, outcome.ErrorHttp5xx)
	result := b.call(t, chatRequest(false))
	wantOutcome(t, result.Row, outcome.NotSent, outcome.ErrorNone)
	if *result.NotSent != "spend_cap" || requests != 1 {
		t.Errorf("not sent: %v, requests %d", *result.NotSent, requests)
	}
	if reason, _ := b.caller.Run.Halt.Reason(); reason != halt.SpendCap {
		t.Errorf("halt: %q", reason)
	}
	intents, rows, _ := b.lines(t)
	if len(intents) != 1 || len(rows) != 2 {
		t.Errorf("%d intents, %d rows", len(intents), len(rows))
	}
	again := b.call(t, chatRequest(false))
	if again.Row.Outcome != "not_sent" || *again.NotSent != "halted" {
		t.Errorf("after a halt: %s, %v", again.Row.Outcome, again.NotSent)
	}
	counts := b.caller.Run.Counts.Of("s")
	if counts.Finished.Load() != 1 || counts.NotSent.Load() != 2 || counts.OK.Load() != 0 || counts.InFlight.Load() != 0 {
		t.Errorf("%d finished, %d not sent", counts.Finished.Load(), counts.NotSent.Load())
	}
}

func TestReservesFallWhenTheAnswerIsKnown(t *testing.T) {
	status, body := http.StatusOK, plainChat
	b := newBench(t, capPlan("1"), func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		flush(w, body)
	})
	steps := []struct {
		status int
		body   string
		added  int64
	}{
		{200, plainChat, 5*1 + 1*10}, // usage 5 and 1
		{400, `{}`, 0},
		{429, `{}`, 0},
		{503, `{}`, 2034},
		{200, `{"nonsense":true}`, 2034},
		{200, `{"choices":[{"index":0,"message":{"role":"assistant","content":"x"},"finish_reason":"stop"}]}`, 2034}, // ok without usage
	}
	var sum int64
	for _, step := range steps {
		status, body = step.status, step.body
		b.call(t, chatRequest(false))
		sum += step.added
		if reserved, _ := b.caller.Run.Cap.Reserved(); reserved.Int64() != sum {
			t.Fatalf("after %d %s: want %d reserved, found %s", step.status, step.body, sum, reserved)
		}
	}
}

func TestNoBoundUnderACapIsNotSent(t *testing.T) {
	b := newBench(t, capPlan("1"), func(http.ResponseWriter, *http.Request) { t.Error("nothing may be sent") })
	result := b.call(t, kindRequest("messages", false))
	wantOutcome(t, result.Row, outcome.NotSent, outcome.ErrorNone)
	if _, halted := b.caller.Run.Halt.Reason(); halted {
		t.Error("a missing bound stops its own kind, not the run")
	}
}

func TestManyCallsUnderACapNeverPassIt(t *testing.T) {
	var sent atomic.Int64
	b := newBench(t, capPlan("0.000000020340"), func(w http.ResponseWriter, _ *http.Request) { // ten worst cases
		sent.Add(1)
		w.WriteHeader(http.StatusBadGateway)
	})
	var group sync.WaitGroup
	for range 60 {
		group.Go(func() {
			if _, err := b.caller.Call(context.Background(), chatRequest(false)); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if sent.Load() != 10 {
		t.Errorf("%d calls were sent, the cap lets 10", sent.Load())
	}
	if intents, rows, _ := b.lines(t); len(intents) != 10 || len(rows) != 60 {
		t.Errorf("%d intents, %d rows", len(intents), len(rows))
	}
}

func TestAnEndedRunSendsNothing(t *testing.T) {
	b := newBench(t, "", func(http.ResponseWriter, *http.Request) { t.Error("nothing may be sent") })
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	result, err := b.caller.Call(ctx, chatRequest(false))
	if err != nil {
		t.Fatal(err)
	}
	wantOutcome(t, result.Row, outcome.NotSent, outcome.ErrorNone)
}

func TestPlannedIsTheSlotsTimeNotTheSendTime(t *testing.T) {
	b := newBench(t, "", func(w http.ResponseWriter, _ *http.Request) { flush(w, plainChat) })
	planned := clock.Now().Add(-1500_000_000)
	n := int64(40)
	b.caller.VU, b.caller.Iteration = 7, &n
	b.caller.Run.Planned.Set(7, n, load.PlannedStart{At: planned, Timed: true, Phase: plan.WarmUp})
	row := b.call(t, chatRequest(false)).Row
	if row.PlannedAt == nil || *row.PlannedAt != planned.Wall() || *row.ScheduleLagMS < 1500 {
		t.Errorf("planned %v, lag %v", row.PlannedAt, row.ScheduleLagMS)
	}
	second := b.call(t, chatRequest(false)).Row
	if second.PlannedAt != nil || second.ScheduleLagMS != nil {
		t.Error("only the first paid call of a start was planned")
	}
	if row.Phase != plan.WarmUp || second.Phase != plan.WarmUp {
		t.Errorf("phases %s and %s: want the start's", row.Phase, second.Phase)
	}
}

func TestACallWhoseIntentCannotBeWrittenIsNotSent(t *testing.T) {
	b := newBench(t, capPlan("1"), func(http.ResponseWriter, *http.Request) { t.Error("nothing may be sent") })
	writer, err := b.caller.Run.Ledger()
	if err != nil {
		t.Fatal(err)
	}
	if err := writer.Close(); err != nil { // as a disk that takes no more
		t.Fatal(err)
	}
	result := b.call(t, chatRequest(false))
	wantOutcome(t, result.Row, outcome.NotSent, outcome.ErrorNone)
	if reason, _ := b.caller.Run.Halt.Reason(); reason != halt.LedgerFailed || writer.Lost() != 1 {
		t.Errorf("halt %q, rows lost %d", reason, writer.Lost())
	}
	if reserved, _ := b.caller.Run.Cap.Reserved(); reserved.Sign() != 0 {
		t.Errorf("%s is still reserved for a call that was not sent", reserved)
	}
}
