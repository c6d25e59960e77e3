package halt

import "testing"

func TestTheFirstReasonWins(t *testing.T) {
	h := New()
	if reason, halted := h.Reason(); halted {
		t.Fatalf("halted: %s", reason)
	}
	h.Set(StopRule429)
	h.Set(SpendCap)
	<-h.Done()
	if reason, halted := h.Reason(); !halted || reason != StopRule429 {
		t.Errorf("found %q", reason)
	}
}

func TestParse(t *testing.T) {
	for _, name := range []string{
		"spend_cap", "reserve_exceeded", "credit_kept", "quota_exhausted", "stop_rule_429", "stop_rule_5xx",
		"script_aborted", "interrupted", "ledger_failed",
	} {
		if reason, known := Parse(name); !known || string(reason) != name {
			t.Errorf("%s: %q, %v", name, reason, known)
		}
	}
	for _, name := range []string{"", "spend_cap ", "SPEND_CAP", "halt"} {
		if reason, known := Parse(name); known {
			t.Errorf("%q is %q", name, reason)
		}
	}
}
