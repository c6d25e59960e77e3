package e2e

import (
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"weighbridge.dev/xk6/spend"
)

func pricedAt(scenario planScenario, obeyed bool) map[string]any {
	return map[string]any{
		"model": scenario.Model, "kind": scenario.Kind, "per_input_token": "100", "per_output_token": "200", "fixed": "0",
		"max_output_tokens": 1000, "limit_obeyed": obeyed,
	}
}

func TestACapOfAScenarioOrModelStopsItAndNoOther(t *testing.T) {
	for scope, code := range map[string]string{"by_scenario": "spend_cap_by_scenario", "by_model": "spend_cap_by_model"} {
		g := newGateway(t)
		chat, other := textScenario("chat", "chat", 20_000, 2000), textScenario("resp", "responses", 20_000, 2000)
		name := map[string]string{"by_scenario": chat.Name, "by_model": chat.Model}[scope]
		command, dir, output := start(t, g, setup{
			drainMS: 20000, cap: "1", scenarios: []planScenario{chat, other},
			parts:  map[string]any{scope: map[string]any{name: "0.0000004"}},
			bounds: []any{pricedAt(chat, false), pricedAt(other, false)},
		})
		if err := command.Wait(); err != nil {
			t.Fatalf("%v\n%s", err, output)
		}
		b := read(t, dir)
		if final := b.last(t); final.Halted != nil {
			t.Errorf("%s: halted %s", scope, *final.Halted)
		}
		refused, cost := 0, new(big.Int)
		for id, row := range b.paid {
			switch {
			case row.Outcome == "not_sent" && row.Scenario == "chat":
				refused++
				if row.ErrorCode == nil || *row.ErrorCode != code {
					t.Errorf("%s: %s has code %v", scope, id, row.ErrorCode)
				}
			case row.Outcome != "ok":
				t.Errorf("%s: %s ended %s", scope, id, row.Outcome)
			case row.Scenario == "chat":
				cost.Add(cost, big.NewInt(100*(*row.Usage.Input)+200*(*row.Usage.Output)))
			}
		}
		limit, _ := spend.ParseUSD("0.0000004")
		if refused == 0 || cost.Sign() == 0 || cost.Cmp(limit) > 0 {
			t.Errorf("%s: %d calls were kept back, the others cost %s of %s", scope, refused, cost, limit)
		}
		if s := b.scenario(t, "resp"); s.OK != 40 || s.Started != 40 {
			t.Errorf("%s: the other scenario: %+v", scope, s)
		}
	}
}

// The cap holds no call of the dear model; the cheap one is called to the end all the same.
func TestAModelTooDearForTheCapStopsAlone(t *testing.T) {
	g := newGateway(t)
	dear, cheap := textScenario("chat", "chat", 20_000, 2000), textScenario("resp", "responses", 20_000, 2000)
	bound := pricedAt(dear, false)
	bound["fixed"] = "2000000000000"
	command, dir, output := start(t, g, setup{
		drainMS: 20000, cap: "1", scenarios: []planScenario{dear, cheap}, bounds: []any{bound, pricedAt(cheap, false)},
	})
	if err := command.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	b := read(t, dir)
	if final := b.last(t); final.Halted != nil {
		t.Errorf("halted %s", *final.Halted)
	}
	for id, row := range b.paid {
		if row.Scenario != "chat" {
			continue
		}
		if row.Outcome != "not_sent" || row.ErrorCode == nil || *row.ErrorCode != "spend_cap_by_kind" {
			t.Errorf("%s ended %s with code %v", id, row.Outcome, row.ErrorCode)
		}
		if row.ErrorMessage == nil || !strings.Contains(*row.ErrorMessage, "can cost up to $2.0000003224") {
			t.Errorf("%s: %v", id, row.ErrorMessage)
		}
	}
	if s := b.scenario(t, "resp"); s.OK != 40 || s.Started != 40 {
		t.Errorf("the other scenario: %+v", s)
	}
}

// The limit was obeyed in the trial, so that a call reserves 20 tokens of output; now the target writes 3 for each 2.
func TestATargetThatIgnoresLimitsStopsTheRun(t *testing.T) {
	g := newGateway(t)
	scenario := textScenario("chat", "chat", 10_000, 60_000)
	scenario.Text.(map[string]any)["max_tokens"] = 2
	command, dir, output := start(t, g, setup{
		drainMS: 20000, cap: "1", scenarios: []planScenario{scenario}, bounds: []any{pricedAt(scenario, true)},
	})
	if err := command.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	b := read(t, dir)
	if final := b.last(t); final.Halted == nil || *final.Halted != "reserve_exceeded" {
		t.Fatalf("halted: %v", final.Halted)
	}
	s := b.scenario(t, "chat")
	if s.Held == 0 || s.OK == 0 || s.OK != int64(len(b.intents)) || len(g.received()) != len(b.intents) {
		t.Errorf("%d received, %d intents, %+v", len(g.received()), len(b.intents), s)
	}
	for id, row := range b.paid {
		// 1224 input tokens at most and the 2 of the limit.
		if row.WorstCaseUSD != nil && *row.WorstCaseUSD != "0.0000001228" {
			t.Errorf("%s reserved %s", id, *row.WorstCaseUSD)
		}
	}
}

// refusing answers every call with a status and a body.
func refusing(t *testing.T, status int, body string) *gateway {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(server.Close)
	return &gateway{Server: server}
}

func TestAnswersStopTheRun(t *testing.T) {
	const broke = `{"error":{"message":"no credit left, balance $0 (request id: r1)","type":"new_api_error","code":"insufficient_user_quota"}}`
	stop := map[string]any{"over_ms": 60_000, "min_calls": 5, "share_429": 0.5, "share_5xx": 0.5}
	for _, c := range []struct {
		status int
		body   string
		reason string
		least  int64
	}{
		{402, broke, "quota_exhausted", 1},
		{403, broke, "quota_exhausted", 1},
		{429, `{}`, "stop_rule_429", 5},
		{503, `{}`, "stop_rule_5xx", 5},
	} {
		command, dir, output := start(t, refusing(t, c.status, c.body), setup{
			drainMS: 20000, limits: map[string]any{"stop": stop}, scenarios: []planScenario{textScenario("chat", "chat", 20_000, 60_000)},
		})
		if err := command.Wait(); err != nil {
			t.Fatalf("%d: %v\n%s", c.status, err, output)
		}
		b := read(t, dir)
		if final := b.last(t); final.Halted == nil || *final.Halted != c.reason {
			t.Errorf("%d: halted %v, want %s", c.status, final.Halted, c.reason)
		}
		if s := b.scenario(t, "chat"); s.Started < c.least || s.Held == 0 || s.Started+s.Dropped+s.Held != 1200 {
			t.Errorf("%d: %+v", c.status, s)
		}
	}
}

func TestTheStarterHaltsWithAReasonAndCallsInFlightFinish(t *testing.T) {
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = writer.Close() }()
	g, calls, release := held(t)
	command, dir, output := start(t, g, setup{
		drainMS: 20000, scenarios: []planScenario{textScenario("chat", "chat", 20_000, 60_000)},
		env: []string{"WEIGHBRIDGE_LIFELINE=stdin"}, stdin: reader,
	})
	await(t, calls, 3)
	if _, err := io.WriteString(writer, "halt credit_kept\n"); err != nil {
		t.Fatal(err)
	}
	eventually(t, "a state line that says credit_kept", func() bool {
		text, _ := os.ReadFile(filepath.Join(dir, "calls", "i0-0.ndjson"))
		return strings.Contains(string(text), `"halted":"credit_kept"`)
	})
	release()
	if err := command.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	b := read(t, dir)
	if s := b.scenario(t, "chat"); s.OK != s.Started || s.Held == 0 || int64(len(b.paid)) != s.Started {
		t.Errorf("%d rows, %+v", len(b.paid), s)
	}
}

// Each third of the run has a third of the cap: 0.0000004 for which one call reserves 0.0000003224.
func TestTheInstancesOfASegmentedRunHoldTheCapTogether(t *testing.T) {
	scenario := textScenario("chat", "chat", 60_000, 60_000)
	sum := new(big.Int)
	for _, segment := range []string{"0:1/3", "1/3:2/3", "2/3:1"} {
		g := newGateway(t)
		command, dir, output := start(t, g, setup{
			drainMS: 20000, cap: "0.0000012", scenarios: []planScenario{scenario}, bounds: []any{pricedAt(scenario, false)},
			args: []string{"--execution-segment", segment, "--execution-segment-sequence", "0,1/3,2/3,1"},
		})
		if err := command.Wait(); err != nil {
			t.Fatalf("%s: %v\n%s", segment, err, output)
		}
		b := read(t, dir)
		final := b.last(t)
		if final.Halted == nil || *final.Halted != "spend_cap" || len(b.intents) == 0 {
			t.Errorf("%s: halted %v after %d calls", segment, final.Halted, len(b.intents))
		}
		for _, state := range b.states {
			if reserved, err := spend.ParseUSD(*state.ReservedUSD); err != nil || reserved.Cmp(big.NewInt(400_000)) > 0 {
				t.Errorf("%s: %s is reserved, a third of the cap is 0.0000004", segment, *state.ReservedUSD)
			}
		}
		reserved, _ := spend.ParseUSD(*final.ReservedUSD)
		sum.Add(sum, reserved)
	}
	if limit, _ := spend.ParseUSD("0.0000012"); sum.Cmp(limit) > 0 {
		t.Errorf("together %s of %s are reserved", sum, limit)
	}
}
