package traffic

import (
	"testing"

	"weighbridge.dev/xk6/plan"
)

func BenchmarkCall(b *testing.B) {
	shape := plan.Scenario{Name: "chat", Kind: "chat", Model: "m", Text: &plan.Text{
		StreamShare: 0.5, PromptBytes: plan.SizeTable{1000}, MaxTokens: plan.SizeTable{64},
	}}
	p := &plan.Plan{Seed: 7, Nonce: "n", Workload: plan.Workload{Scenarios: []plan.Scenario{shape}}}
	calls, err := New(p, "i0", nil)
	if err != nil {
		b.Fatal(err)
	}
	for n := int64(0); b.Loop(); n++ {
		if _, err := calls.Call("chat", n, 1); err != nil {
			b.Fatal(err)
		}
	}
}
