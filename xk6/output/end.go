package output

import (
	"errors"

	"go.k6.io/k6/v2/errext"

	"weighbridge.dev/xk6/halt"
)

// StopWithTestError is Stop, told how the run ended: only k6 knows what cancelled it.
func (o *ledgerOutput) StopWithTestError(err error) error {
	if reason, broken := reasonOf(err); broken {
		o.run.Halt.Set(reason)
	}
	return o.Stop()
}

// reasonOf is why a run ended before its plan did; false where it did not.
func reasonOf(err error) (halt.Reason, bool) {
	var aborted errext.HasAbortReason
	if !errors.As(err, &aborted) {
		return "", false
	}
	switch aborted.AbortReason() {
	case errext.AbortedByScriptAbort, errext.AbortedByThreshold:
		return halt.ScriptAborted, true
	case errext.AbortedByUser, errext.AbortedByTimeout, errext.AbortedByOutput:
		return halt.Interrupted, true
	default:
		return "", false
	}
}
