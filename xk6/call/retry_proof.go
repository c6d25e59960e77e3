package call

import (
	"context"
	"math/big"
	"net/url"

	"weighbridge.dev/xk6/outcome"
	"weighbridge.dev/xk6/spend"
	"weighbridge.dev/xk6/wire"
)

// provedFree reads the usage records of a request (interface §6 rule 1) and reports whether the whole answer shows
// that nothing was charged. An answer that fails, is cut into pages or cannot be read proves nothing.
func (c *Caller) provedFree(ctx context.Context, paid *Request, requestID string) bool {
	writer, err := c.Run.Ledger()
	if err != nil {
		return false
	}
	x := c.freeCall(ctx, writer, c.Run.Counts.Of(c.Scenario), &Request{
		CallID: paid.CallID + "/read/1", LogicalID: paid.LogicalID, Attempt: paid.Attempt, Kind: "read", Method: "GET",
		Path: "/v1/usage/requests?request_id=" + url.QueryEscape(requestID), Auth: paid.Auth,
	})
	if x.outcome != outcome.Ok {
		return false
	}
	records, whole := wire.ReadUsagePage(x.body)
	if !whole {
		return false
	}
	for _, record := range records {
		if !isFree(record) {
			return false
		}
	}
	return true
}

// isFree: a record that took nothing, or gave all of it back; whether its amount is before or after the refund, the
// interface leaves open. A pending one may still be charged.
func isFree(record wire.UsageRecord) bool {
	amount, err := spend.ParseUSD(record.Amount)
	if err != nil {
		return false
	}
	switch record.BillingStatus {
	case "settled":
		return amount.Sign() == 0
	case "refunded":
		refunded, err := spend.ParseUSD(record.RefundedAmount)
		return amount.Sign() == 0 || err == nil && refunded.Cmp(new(big.Int)) > 0 && refunded.Cmp(amount) >= 0
	default:
		return false
	}
}
