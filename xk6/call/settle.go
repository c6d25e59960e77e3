package call

import (
	"errors"
	"net/http"

	"weighbridge.dev/xk6/clock"
	"weighbridge.dev/xk6/halt"
	"weighbridge.dev/xk6/load"
	"weighbridge.dev/xk6/outcome"
	"weighbridge.dev/xk6/spend"
)

// refused are the statuses with which a target says that it generated nothing (interface §7). Any other 4xx is
// unknown to it and proves nothing.
var refused = map[int]bool{
	http.StatusBadRequest: true, http.StatusUnauthorized: true, http.StatusPaymentRequired: true,
	http.StatusForbidden: true, http.StatusNotFound: true, http.StatusRequestEntityTooLarge: true,
	http.StatusUnprocessableEntity: true, http.StatusTooManyRequests: true,
}

// Codes of calls that a cap kept back; they tell which cap it was.
var capCodes = map[spend.Scope]string{
	spend.ScopeRun: "spend_cap", spend.ScopeScenario: "spend_cap_by_scenario", spend.ScopeModel: "spend_cap_by_model",
	spend.ScopeKind: "spend_cap_by_kind",
}

// capped notes what a refusal stops: the run where nothing that it calls fits any more, else one part of it.
func (t *ticket) capped(err error) {
	var refusal *spend.CapError
	if !errors.As(err, &refusal) {
		return
	}
	if refusal.Scope == spend.ScopeRun {
		t.caller.Run.Halt.Set(halt.SpendCap)
	}
	t.row.ErrorCode = optional(capCodes[refusal.Scope])
}

// settle gives back what the call cannot have cost, and stops the run where the call gives a reason to.
func (t *ticket) settle() {
	o := outcome.Outcome(t.row.Outcome)
	if t.reservation != nil {
		t.settleReserve(outcome.Billed(o, outcome.ErrorType(t.row.ErrorType)))
	}
	if o != outcome.NotSent {
		t.caller.Run.CallEnded(load.EndedCall{
			At: clock.Now(), Paid: Paid(t.req.Kind), Status: t.row.Status, Code: t.row.ErrorCode,
		})
	}
}

// settleReserve keeps the whole worst case of a call that was cut, timed out, or failed with a server error: none of
// them proves that generation stopped (interface §7).
func (t *ticket) settleReserve(o outcome.Outcome) {
	r, usage := t.reservation, t.row.Usage
	if usage != nil && r.Exceeded(t.peak.Input, t.peak.Output) {
		t.caller.Run.Halt.Set(halt.ReserveExceeded)
	}
	switch {
	case o == outcome.NotSent, t.unreached(o):
		r.Release()
	case o == outcome.Ok && usage != nil && !t.peak.Doubtful:
		r.Settle(t.told(usage.Input, t.peak.Input), t.told(usage.Output, t.peak.Output))
	case o == outcome.HttpError && t.row.Status != nil && refused[*t.row.Status]:
		r.Release()
	}
}

// told is the largest count of an answer, where its last usage has one as well.
func (t *ticket) told(last, largest *int64) *int64 {
	if last == nil {
		return nil
	}
	return largest
}

// unreached is a call for which no connection was ever made.
func (t *ticket) unreached(o outcome.Outcome) bool {
	return t.row.ConnReused == nil && (o == outcome.NetError || o == outcome.TimeoutConnect)
}
