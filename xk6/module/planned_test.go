package module

import (
	"strings"
	"testing"

	"weighbridge.dev/xk6/load"
	"weighbridge.dev/xk6/plan"
)

func TestCallsHaveTheNameThatTheSegmentGave(t *testing.T) {
	run, err := load.New(load.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	text := &plan.Text{PromptBytes: plan.SizeTable{200}, MaxTokens: plan.SizeTable{10}}
	run.Plan = &plan.Plan{Workload: plan.Workload{Scenarios: []plan.Scenario{{Name: "chat", Kind: "chat", Model: "m", Text: text}}}}
	segment := "1/3:2/3"
	for _, want := range []string{"i0/chat/", "1_3-2_3/chat/"} {
		calls, err := plannedCalls(run)
		if err != nil {
			t.Fatal(err)
		}
		if call, err := calls.Call("chat", 0, 1); err != nil || !strings.HasPrefix(call.CallID, want) {
			t.Errorf("want %s, found %s, %v", want, call.CallID, err)
		}
		if err := run.TakeSegment(&segment, 3); err != nil {
			t.Fatal(err)
		}
	}
}
