package call

import (
	"context"
	"fmt"
	"math/big"
	"net/url"

	"weighbridge.dev/xk6/outcome"
	"weighbridge.dev/xk6/spend"
	"weighbridge.dev/xk6/wire"
)

// usageLooks is how often the records of a request are read: a gateway may write them late.
const usageLooks = 4

// charge is what the usage records tell of a request.
type charge int

const (
	chargeUnknown charge = iota
	chargeNone
	chargeMade
)

// provedFree reads the usage records of a request (interface §6 rule 1) until they tell whether it was charged, and
// reports whether they show that it was not. Between the looks the waits of the policy go on growing.
func (r *retrier) provedFree(ctx context.Context, paid *Request, requestID string) bool {
	for look := 1; ; look++ {
		found, asked := r.caller.lookUp(ctx, paid, requestID, look)
		if found != chargeUnknown || look == usageLooks {
			return found == chargeNone
		}
		later := *r
		later.retries += look
		wait, ok := later.wait(RetryIfFree, paid, asked)
		if !ok || !r.caller.pause(ctx, wait) {
			return false
		}
	}
}

// lookUp reads the records once. An answer that fails, is cut into pages or cannot be read tells nothing; asked is its
// Retry-After.
func (c *Caller) lookUp(ctx context.Context, paid *Request, requestID string, look int) (found charge, asked *float64) {
	writer, err := c.Run.Ledger()
	if err != nil {
		return chargeUnknown, nil
	}
	x := c.freeCall(ctx, writer, c.Run.Counts.Of(c.Scenario), &Request{
		CallID: fmt.Sprintf("%s/read/%d", paid.CallID, look), LogicalID: paid.LogicalID, Attempt: paid.Attempt,
		Kind: "read", Method: "GET", Path: "/v1/usage/requests?request_id=" + url.QueryEscape(requestID), Auth: paid.Auth,
	})
	if x.answered() {
		asked = retryAfter(x.header)
	}
	if x.outcome != outcome.Ok {
		return chargeUnknown, asked
	}
	records, whole := wire.ReadUsagePage(x.body)
	if !whole {
		return chargeUnknown, asked
	}
	return chargeOf(records, requestID), asked
}

// chargeOf: a record of the request itself, by its own id where the one asked for is a linked receipt (interface §4),
// must tell that nothing was charged, and no record beside it may tell another thing. No record is no proof.
func chargeOf(records []wire.UsageRecord, requestID string) charge {
	own, unsure := false, false
	for _, record := range records {
		switch recordCharge(record) {
		case chargeMade:
			return chargeMade
		case chargeNone:
			own = own || record.RequestID == requestID || record.ID == requestID
		case chargeUnknown:
			unsure = true
		}
	}
	if own && !unsure {
		return chargeNone
	}
	return chargeUnknown
}

// recordCharge: nothing was taken, or all of it given back; whether an amount is before or after the refund, the
// interface leaves open. A pending record may still be charged.
func recordCharge(record wire.UsageRecord) charge {
	amount, err := spend.ParseUSD(record.Amount)
	if err != nil {
		return chargeUnknown
	}
	free := false
	switch record.BillingStatus {
	case "settled":
		free = amount.Sign() == 0
	case "refunded":
		refunded, err := spend.ParseUSD(record.RefundedAmount)
		free = amount.Sign() == 0 || err == nil && refunded.Cmp(new(big.Int)) > 0 && refunded.Cmp(amount) >= 0
	default:
		return chargeUnknown
	}
	if free {
		return chargeNone
	}
	return chargeMade
}
