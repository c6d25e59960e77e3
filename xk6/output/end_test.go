package output

import (
	"errors"
	"fmt"
	"testing"

	"go.k6.io/k6/v2/errext"

	"weighbridge.dev/xk6/halt"
)

func TestHowARunEndsIsItsReasonToHalt(t *testing.T) {
	cause := errors.New("cause")
	for name, c := range map[string]struct {
		err  error
		want halt.Reason
	}{
		"a whole run":                    {nil, ""},
		"objectives missed at the end":   {errext.WithAbortReasonIfNone(cause, errext.AbortedByThresholdsAfterTestEnd), ""},
		"an error without a reason":      {cause, ""},
		"test.abort":                     {fmt.Errorf("wrapped: %w", &errext.InterruptError{Reason: "x"}), halt.ScriptAborted},
		"a threshold that aborts":        {errext.WithAbortReasonIfNone(cause, errext.AbortedByThreshold), halt.ScriptAborted},
		"a signal":                       {errext.WithAbortReasonIfNone(cause, errext.AbortedByUser), halt.Interrupted},
		"a time limit of setup":          {errext.WithAbortReasonIfNone(cause, errext.AbortedByTimeout), halt.Interrupted},
		"an output that stopped the run": {errext.WithAbortReasonIfNone(cause, errext.AbortedByOutput), halt.Interrupted},
	} {
		if reason, broken := reasonOf(c.err); reason != c.want || broken != (c.want != "") {
			t.Errorf("%s: want %q, found %q", name, c.want, reason)
		}
	}
}
