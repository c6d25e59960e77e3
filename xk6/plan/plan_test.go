package plan

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"weighbridge.dev/xk6/spend"
)

const whole = `{"schema":"weighbridge.plan/1","run_id":"r","plan_hash":"h","workload":{"seed":9},
	"cap":{"max_spend_usd":"1.5","bounds":[{"model":"m","kind":"chat","per_input_token":"1","per_output_token":"2","fixed":"3","max_output_tokens":4}]}}`

func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "plan.json")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestRead(t *testing.T) {
	p, err := Read(write(t, whole))
	if err != nil {
		t.Fatal(err)
	}
	bound := p.Bounds[spend.Key{Model: "m", Kind: "chat"}]
	if p.RunID != "r" || p.PlanHash != "h" || p.Seed != 9 || p.Caps.Run.String() != "1500000000000" ||
		bound.PerInputToken.Int64() != 1 || bound.PerOutputToken.Int64() != 2 || bound.Fixed.Int64() != 3 || bound.MaxOutputTokens != 4 {
		t.Errorf("read as %+v", p)
	}
	open, err := Read(write(t, strings.Replace(whole, `"1.5"`, "null", 1)))
	if err != nil || open.Caps.Run != nil {
		t.Errorf("no cap: %v, %v", open, err)
	}
	keeping, err := Read(write(t, strings.Replace(whole, `"workload":`, `"keep_text":true,"workload":`, 1)))
	if err != nil || !keeping.KeepText || open.KeepText {
		t.Errorf("keep_text: %v, of a plan without: %v, %v", keeping, open.KeepText, err)
	}
}

func TestAMalformedPlanIsRefused(t *testing.T) {
	for name, change := range map[string][2]string{
		"schema": {"plan/1", "plan/2"}, "run_id": {`"r"`, `""`}, "cap": {`"1.5"`, `"1e3"`}, "cap as a number": {`"1.5"`, `1.5`},
		"fraction": {`"per_input_token":"1"`, `"per_input_token":"0.5"`}, "negative": {`"fixed":"3"`, `"fixed":"-3"`},
		"missing": {`"per_output_token":"2",`, ``}, "output": {`"max_output_tokens":4`, `"max_output_tokens":-4`}, "json": {`}}`, `}`},
	} {
		if p, err := Read(write(t, strings.Replace(whole, change[0], change[1], 1))); err == nil {
			t.Errorf("%s: read as %+v", name, p)
		}
	}
}

func TestTheLimitsOfAPlan(t *testing.T) {
	text := strings.Replace(whole, `"bounds":[{`, `"by_scenario":{"chat":"0.5"},"by_model":{"m":"0.25"},"bounds":[{"limit_obeyed":true,`, 1)
	text = strings.Replace(text, `"workload":`, `"limits":{"stop":{"over_ms":10,"min_calls":2,"share_429":0.5,"share_5xx":null}},"workload":`, 1)
	p, err := Read(write(t, text))
	if err != nil {
		t.Fatal(err)
	}
	stop := p.Limits.Stop
	if p.Caps.ByScenario["chat"].String() != "500000000000" || p.Caps.ByModel["m"].String() != "250000000000" ||
		!p.Bounds[spend.Key{Model: "m", Kind: "chat"}].LimitObeyed ||
		stop == nil || stop.OverMS != 10 || stop.MinCalls != 2 || *stop.Share429 != 0.5 || stop.Share5xx != nil {
		t.Errorf("read as %+v", p)
	}
	for _, cap := range []string{`"by_scenario":{"chat":"-1"}`, `"by_model":{"m":"a lot"}`} {
		if _, err := Read(write(t, strings.Replace(whole, `"bounds":`, cap+`,"bounds":`, 1))); err == nil {
			t.Errorf("%s was accepted", cap)
		}
	}
}
