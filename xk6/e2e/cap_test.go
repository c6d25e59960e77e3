package e2e

import (
	"math/big"
	"testing"

	"weighbridge.dev/xk6/spend"
)

func TestTheCapStopsTheRunAndIsNeverPassed(t *testing.T) {
	g := newGateway(t)
	scenario := textScenario("chat", "chat", 20_000, 60_000)
	command, dir, output := start(t, g, setup{
		drainMS: 20000, cap: "0.000001", scenarios: []planScenario{scenario},
		// worst case 1224 + 2·1000 = 3224, settled 50 + 2·3 = 56, of 1,000,000
		bounds: []any{map[string]any{
			"model": scenario.Model, "kind": "chat", "per_input_token": "100", "per_output_token": "200", "fixed": "0", "max_output_tokens": 1000,
		}},
	})
	if err := command.Wait(); err != nil {
		t.Fatalf("a run that reaches its cap ends normally: %v\n%s", err, output)
	}
	b := read(t, dir)
	final := b.last(t)
	if final.Halted == nil || *final.Halted != "spend_cap" {
		t.Fatalf("halted: %v", final.Halted)
	}
	refused := 0
	for _, row := range b.paid {
		if row.Outcome == "not_sent" {
			refused++
		} else if row.WorstCaseUSD == nil || *row.WorstCaseUSD != "0.0000003224" {
			t.Errorf("worst case %v", row.WorstCaseUSD)
		}
	}
	if refused == 0 || len(b.intents) != len(b.paid)-refused || len(g.received()) != len(b.intents) {
		t.Errorf("%d rows, %d refused, %d intents, %d received", len(b.paid), refused, len(b.intents), len(g.received()))
	}
	limit, _ := spend.ParseUSD("0.000001")
	for _, state := range b.states {
		if reserved, err := spend.ParseUSD(*state.ReservedUSD); err != nil || reserved.Cmp(limit) > 0 {
			t.Errorf("reserved %s", *state.ReservedUSD)
		}
	}
	settled := new(big.Int).Mul(big.NewInt(5600), big.NewInt(int64(len(b.intents))))
	if reserved, _ := spend.ParseUSD(*final.ReservedUSD); reserved.Cmp(settled) != 0 {
		t.Errorf("in the end %s is reserved for %d calls", *final.ReservedUSD, len(b.intents))
	}
}
