package call

import (
	"slices"

	"weighbridge.dev/xk6/ledger"
	"weighbridge.dev/xk6/outcome"
)

// RetryManner is how a call may be sent again.
type RetryManner string

// The manners, in the words of the documentation.
const (
	RetryNever   RetryManner = "never"
	RetryOnce    RetryManner = "once, after the first wait"
	RetrySoon    RetryManner = "after the first wait, each time"
	RetryGrowing RetryManner = "with growing waits"
	RetryIfFree  RetryManner = "with growing waits, once the usage record shows no charge"
)

// RetryRule is a row of the table; of those that fit an answer the first decides.
type RetryRule struct {
	// After names the answers in words.
	After  string
	Manner RetryManner
	fits   func(*ledger.Row) bool
}

// RetryRules is the whole policy (interface §6 rule 1, §7).
var RetryRules = []RetryRule{
	{"`ok`", RetryNever, is(outcome.Ok)},
	{"`not_sent`, `aborted`, `interrupted`", RetryNever, is(outcome.NotSent, outcome.Aborted, outcome.Interrupted)},
	{"`bad_response`", RetryNever, is(outcome.BadResponse)},
	{"`task_failed`, `task_lost`, `timeout_task`, and whatever happens after a task was accepted", RetryNever,
		func(row *ledger.Row) bool {
			return is(outcome.TaskFailed, outcome.TaskLost, outcome.TimeoutTask)(row) || row.Job != nil && row.Job.ID != nil
		}},
	{"`upstream_rejected`, whatever the status", RetryOnce, refusedAs(outcome.ErrorUpstreamRejected)},
	{"400, 401, 403, 404, 409, 413, 422", RetryNever, hasStatus(400, 401, 403, 404, 409, 413, 422)},
	{"402, and `insufficient_user_quota`, `key_site_mismatch`, `access_denied`, `model_not_found` under any status",
		RetryNever, refusedAs(outcome.ErrorInsufficientUserQuota, outcome.ErrorKeySiteMismatch,
			outcome.ErrorAccessDenied, outcome.ErrorModelNotFound)},
	{"`upstream_unavailable`", RetrySoon, refusedAs(outcome.ErrorUpstreamUnavailable)},
	{"`upstream_crowded`, and any other 429", RetryGrowing, either(refusedAs(outcome.ErrorUpstreamCrowded), hasStatus(429))},
	{"`upstream_error`, and any other 5xx", RetryGrowing, either(refusedAs(outcome.ErrorUpstreamError), isServerError)},
	{"any other status", RetryNever, is(outcome.HttpError)},
	{"`net_error` and `timeout_connect` before there was a connection: nothing was written", RetryGrowing,
		func(row *ledger.Row) bool {
			return is(outcome.NetError, outcome.TimeoutConnect)(row) && row.ConnReused == nil
		}},
	{"a disconnect, a timeout, `truncated` or `stream_error`, with a request id", RetryIfFree,
		func(row *ledger.Row) bool { return row.RequestID != nil }},
	{"the same without a request id", RetryNever, func(*ledger.Row) bool { return true }},
}

func retryRuleOf(row *ledger.Row) RetryRule {
	return RetryRules[slices.IndexFunc(RetryRules, func(rule RetryRule) bool { return rule.fits(row) })]
}

func is(outcomes ...outcome.Outcome) func(*ledger.Row) bool {
	return func(row *ledger.Row) bool { return slices.Contains(outcomes, outcome.Outcome(row.Outcome)) }
}

func isRefusal(row *ledger.Row) bool {
	return row.Outcome == string(outcome.HttpError) && row.Status != nil
}

func refusedAs(types ...outcome.ErrorType) func(*ledger.Row) bool {
	return func(row *ledger.Row) bool {
		return isRefusal(row) && slices.Contains(types, outcome.ErrorType(row.ErrorType))
	}
}

func hasStatus(statuses ...int) func(*ledger.Row) bool {
	return func(row *ledger.Row) bool { return isRefusal(row) && slices.Contains(statuses, *row.Status) }
}

func isServerError(row *ledger.Row) bool { return isRefusal(row) && *row.Status >= 500 }

func either(one, other func(*ledger.Row) bool) func(*ledger.Row) bool {
	return func(row *ledger.Row) bool { return one(row) || other(row) }
}
