package call

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"weighbridge.dev/xk6/halt"
	"weighbridge.dev/xk6/outcome"
)

// obeyedPlan is capPlan after a trial that saw the limit obeyed.
func obeyedPlan(max string) string {
	return strings.Replace(capPlan(max), `"max_output_tokens":100`, `"max_output_tokens":100,"limit_obeyed":true`, 1)
}

func limited(maxTokens int64) *Request {
	req := chatRequest(false)
	req.MaxTokens = &maxTokens
	return req
}

func chatWith(input, output int) string {
	return fmt.Sprintf(`{"choices":[{"index":0,"message":{"role":"assistant","content":"x"},"finish_reason":"stop"}],
		"usage":{"prompt_tokens":%d,"completion_tokens":%d}}`, input, output)
}

// Interface §7 names the refusals before which nothing was generated; whatever else a target answers proves nothing.
func TestOnlyANamedRefusalGivesTheReserveBack(t *testing.T) {
	for status, kept := range map[int]int64{
		400: 0, 401: 0, 402: 0, 403: 0, 404: 0, 413: 0, 422: 0, 429: 0,
		408: 2034, 409: 2034, 418: 2034, 499: 2034, 500: 2034, 502: 2034, 503: 2034, 504: 2034, 524: 2034,
	} {
		b := newBench(t, capPlan("1"), func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) })
		b.call(t, chatRequest(false))
		if reserved, _ := b.caller.Run.Cap.Reserved(); reserved.Int64() != kept {
			t.Errorf("after %d: want %d reserved, found %s", status, kept, reserved)
		}
	}
}

func TestACutStreamKeepsItsWorstCaseWhateverUsageItTold(t *testing.T) {
	b := newBench(t, capPlan("1"), func(w http.ResponseWriter, _ *http.Request) {
		sseHead(w)
		flush(w, delta("one ")+`data: {"choices":[],"usage":{"prompt_tokens":5,"completion_tokens":2}}`+"\n\n")
	})
	wantOutcome(t, b.call(t, chatRequest(true)).Row, outcome.Truncated, outcome.ErrorStreamNoTerminator)
	if reserved, _ := b.caller.Run.Cap.Reserved(); reserved.Int64() != 2034 {
		t.Errorf("%s is reserved", reserved)
	}
}

func TestACallThatNeverFoundTheTargetHoldsNothing(t *testing.T) {
	b := newBench(t, capPlan("1"), func(http.ResponseWriter, *http.Request) {})
	b.server.Close()
	wantOutcome(t, b.call(t, chatRequest(false)).Row, outcome.NetError, outcome.ErrorConnectRefused)
	if reserved, _ := b.caller.Run.Cap.Reserved(); reserved.Sign() != 0 {
		t.Errorf("%s is reserved", reserved)
	}
}

func TestAConnectionThatBreaksKeepsTheWorstCase(t *testing.T) {
	b := newBench(t, capPlan("1"), func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	row := b.call(t, chatRequest(false)).Row
	if reserved, _ := b.caller.Run.Cap.Reserved(); row.Outcome != "net_error" || reserved.Int64() != 2034 {
		t.Errorf("%s: %s is reserved", row.Outcome, reserved)
	}
}

// The worst case counts on the sent limit of 20: 10 + 1024 + 200 = 1234.
func TestALimitThatWasObeyedIsTheReserve(t *testing.T) {
	b := newBench(t, obeyedPlan("1"), func(w http.ResponseWriter, _ *http.Request) { flush(w, chatWith(30, 20)) })
	row := b.call(t, limited(20)).Row
	if row.WorstCaseUSD == nil || *row.WorstCaseUSD != "0.000000001234" {
		t.Errorf("worst case %v", row.WorstCaseUSD)
	}
	if reason, halted := b.caller.Run.Halt.Reason(); halted {
		t.Errorf("halted: %s", reason)
	}
	if reserved, _ := b.caller.Run.Cap.Reserved(); reserved.Int64() != 230 {
		t.Errorf("%s is reserved", reserved)
	}
}

func TestACallThatUsesMoreThanItsReserveStopsTheRun(t *testing.T) {
	for name, c := range map[string]struct {
		plan, answer string
		stream       bool
	}{
		"an obeyed limit is ignored":    {obeyedPlan("1"), chatWith(30, 21), false},
		"more than the model can write": {capPlan("1"), chatWith(1034, 101), false},
		"a smaller usage follows": {obeyedPlan("1"), delta("x") +
			"data: {\"choices\":[],\"usage\":{\"prompt_tokens\":5,\"completion_tokens\":21}}\n\n" + chatFinish + chatDone, true},
		"more input than there can be":      {capPlan("1"), chatWith(2000, 100), false},
		"also where the stream was cut off": {obeyedPlan("1"), delta("x") + "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":5,\"completion_tokens\":21}}\n\n", true},
	} {
		requests := 0
		b := newBench(t, c.plan, func(w http.ResponseWriter, _ *http.Request) {
			requests++
			if c.stream {
				sseHead(w)
			}
			flush(w, c.answer)
		})
		req := limited(20)
		req.Stream = c.stream
		b.call(t, req)
		if reason, _ := b.caller.Run.Halt.Reason(); reason != halt.ReserveExceeded {
			t.Errorf("%s: halt %q", name, reason)
		}
		if reserved, _ := b.caller.Run.Cap.Reserved(); reserved.Int64() > 2034 {
			t.Errorf("%s: %s is reserved", name, reserved)
		}
		if again := b.call(t, chatRequest(false)); again.Row.Outcome != "not_sent" || requests != 1 {
			t.Errorf("%s: %s after the halt, %d requests", name, again.Row.Outcome, requests)
		}
	}
}

// The worst case is 1034 of input and 1000 of output.
func TestTheReserveFollowsTheLargestCountsThatAreCounts(t *testing.T) {
	chunk := func(usage string) string { return `data: {"choices":[],"usage":` + usage + "}\n\n" }
	for name, c := range map[string]struct {
		kind, answer string
		stream       bool
		kept         int64
	}{
		"a later usage is smaller": {"chat", delta("x") + chunk(`{"prompt_tokens":50,"completion_tokens":90}`) +
			chunk(`{"prompt_tokens":5,"completion_tokens":1}`) + chatFinish + chatDone, true, 50 + 900},
		"a later usage tells no output": {"chat", delta("x") + strings.Replace(chatFinish, `,"completion_tokens":2`, "", 1) +
			chatDone, true, 5 + 1000},
		"a count between is none": {"chat", delta("x") + chunk(`{"prompt_tokens":5,"completion_tokens":-1}`) +
			chatFinish + chatDone, true, 2034},
		"a negative count": {"chat", chatWith(5, -1), false, 2034},
		"a negative cache count": {"messages", `{"content":[{"type":"text","text":"x"}],"stop_reason":"end_turn",
			"usage":{"input_tokens":5,"cache_read_input_tokens":-4,"output_tokens":2}}`, false, 2034},
		"a sum that no count holds": {"messages", `{"content":[{"type":"text","text":"x"}],"stop_reason":"end_turn",
			"usage":{"input_tokens":9007199254740991,"cache_read_input_tokens":1,"output_tokens":2}}`, false, 2034},
	} {
		plan := strings.ReplaceAll(capPlan("1"), `"kind":"chat"`, `"kind":"`+c.kind+`"`)
		b := newBench(t, plan, func(w http.ResponseWriter, _ *http.Request) {
			if c.stream {
				sseHead(w)
			}
			flush(w, c.answer)
		})
		row := b.call(t, kindRequest(c.kind, c.stream)).Row
		wantOutcome(t, row, outcome.Ok, outcome.ErrorNone)
		for _, count := range []*int64{row.Usage.Input, row.Usage.Output, row.Usage.CacheRead} {
			if count != nil && *count < 0 {
				t.Errorf("%s: a count of %d stands in the row", name, *count)
			}
		}
		if reserved, _ := b.caller.Run.Cap.Reserved(); reserved.Int64() != c.kept {
			t.Errorf("%s: %s is reserved", name, reserved)
		}
		if reason, halted := b.caller.Run.Halt.Reason(); halted {
			t.Errorf("%s: halted: %s", name, reason)
		}
	}
}

func TestACapOfAScenarioOrModelIsNamedAndStopsNoOther(t *testing.T) {
	for code, part := range map[string]string{
		"spend_cap_by_scenario": `"by_scenario":{"s":"0.000000002035"}`,
		"spend_cap_by_model":    `"by_model":{"m":"0.000000002035"}`,
	} {
		b := newBench(t, strings.Replace(capPlan("1"), `"bounds":`, part+`,"bounds":`, 1), func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusBadGateway)
		})
		if row := b.call(t, chatRequest(false)).Row; row.ErrorCode != nil {
			t.Errorf("%s: the first call has code %s", code, *row.ErrorCode)
		}
		row := b.call(t, chatRequest(false)).Row
		wantOutcome(t, row, outcome.NotSent, outcome.ErrorNone)
		if row.ErrorCode == nil || *row.ErrorCode != code || row.ErrorMessage == nil {
			t.Errorf("want %s, found %v: %v", code, row.ErrorCode, row.ErrorMessage)
		}
		if reason, halted := b.caller.Run.Halt.Reason(); halted {
			t.Errorf("%s: the run was halted: %s", code, reason)
		}
	}
}

func TestAnswersThatStopTheRun(t *testing.T) {
	rules := `"limits":{"stop":{"over_ms":60000,"min_calls":2,"share_429":0.5,"share_5xx":0.5}},"workload":`
	stopping := strings.Replace(capPlan("1"), `"workload":`, rules, 1)
	broke := `{"error":{"message":"no credit (request id: r1)","type":"new_api_error","code":"insufficient_user_quota"}}`
	for name, c := range map[string]struct {
		status int
		body   string
		calls  int
		want   halt.Reason
	}{
		"the key has no credit":         {402, broke, 1, halt.QuotaExhausted},
		"the account has no credit":     {403, broke, 1, halt.QuotaExhausted},
		"a refusal of another kind":     {403, `{}`, 4, ""},
		"too many are refused as many":  {429, `{}`, 2, halt.StopRule429},
		"one alone says nothing":        {429, `{}`, 1, ""},
		"too many end as server errors": {503, `{}`, 2, halt.StopRule5xx},
	} {
		b := newBench(t, stopping, func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(c.status)
			flush(w, c.body)
		})
		for range c.calls {
			b.call(t, chatRequest(false))
		}
		if reason, _ := b.caller.Run.Halt.Reason(); reason != c.want {
			t.Errorf("%s: want %q, found %q", name, c.want, reason)
		}
	}
}
