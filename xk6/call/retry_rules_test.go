package call

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"weighbridge.dev/xk6/ledger"
	"weighbridge.dev/xk6/outcome"
)

func refusal(status int, code string) ledger.Row {
	return ledger.Row{
		Outcome: string(outcome.HttpError), ErrorType: string(outcome.ErrorTypeOfAnswer(status, code)), Status: &status,
	}
}

func ended(o outcome.Outcome, change ...func(*ledger.Row)) ledger.Row {
	row := ledger.Row{Outcome: string(o), ErrorType: string(outcome.Default(o))}
	for _, c := range change {
		c(&row)
	}
	return row
}

func withID(row *ledger.Row) { id := "q1"; row.RequestID = &id }

func connected(row *ledger.Row) { reused := false; row.ConnReused = &reused }

func accepted(row *ledger.Row) { id := "v1"; row.Job = &ledger.Job{ID: &id} }

func submitted(row *ledger.Row) { row.Job = &ledger.Job{} }

func TestRetryRules(t *testing.T) {
	type check struct {
		row  ledger.Row
		want RetryManner
	}
	var checks []check
	add := func(want RetryManner, rows ...ledger.Row) {
		for _, row := range rows {
			checks = append(checks, check{row, want})
		}
	}
	for _, status := range []int{400, 401, 403, 404, 409, 413, 422} {
		add(RetryNever, refusal(status, ""), refusal(status, "upstream_crowded"), refusal(status, "upstream_error"))
		add(RetryOnce, refusal(status, "upstream_rejected"))
	}
	add(RetryOnce, refusal(429, "upstream_rejected"), refusal(500, "upstream_rejected"))
	add(RetryNever, refusal(402, ""), refusal(402, "insufficient_user_quota"), refusal(429, "insufficient_user_quota"),
		refusal(500, "model_not_found"), refusal(503, "key_site_mismatch"), refusal(502, "access_denied"))
	add(RetryNever, refusal(302, ""), refusal(405, ""), refusal(408, ""), refusal(418, "x"), refusal(451, ""))
	add(RetryGrowing, refusal(429, "upstream_crowded"), refusal(503, "upstream_crowded"), refusal(429, ""), refusal(429, "x"))
	add(RetrySoon, refusal(502, "upstream_unavailable"), refusal(429, "upstream_unavailable"))
	add(RetryGrowing, refusal(500, "upstream_error"), refusal(500, ""), refusal(502, ""), refusal(503, ""), refusal(504, ""),
		refusal(524, ""), refusal(599, "x"))
	add(RetryGrowing, ended(outcome.NetError), ended(outcome.TimeoutConnect))
	for _, o := range []outcome.Outcome{
		outcome.NetError, outcome.TimeoutConnect, outcome.TimeoutHeaders, outcome.TimeoutFirstToken, outcome.TimeoutIdle,
		outcome.TimeoutTotal, outcome.Truncated, outcome.StreamError,
	} {
		add(RetryIfFree, ended(o, connected, withID), ended(o, connected, withID, submitted))
		add(RetryNever, ended(o, connected), ended(o, connected, withID, accepted))
	}
	for _, o := range []outcome.Outcome{
		outcome.Ok, outcome.NotSent, outcome.Aborted, outcome.Interrupted, outcome.BadResponse, outcome.TaskFailed,
		outcome.TaskLost, outcome.TimeoutTask,
	} {
		add(RetryNever, ended(o), ended(o, connected, withID))
	}
	used := map[string]bool{}
	for _, c := range checks {
		rule := retryRuleOf(&c.row)
		used[rule.After] = true
		if rule.Manner != c.want {
			t.Errorf("%s/%s %v: want %q, found %q by %q", c.row.Outcome, c.row.ErrorType, status0(c.row), c.want, rule.Manner, rule.After)
		}
	}
	for _, rule := range RetryRules {
		if !used[rule.After] {
			t.Errorf("no answer falls under %q", rule.After)
		}
	}
}

func status0(row ledger.Row) int {
	if row.Status == nil {
		return 0
	}
	return *row.Status
}

func TestTheDocumentedRulesAreTheseRules(t *testing.T) {
	text, err := os.ReadFile("../../docs/retries.md")
	if err != nil {
		t.Fatal(err)
	}
	var table strings.Builder
	table.WriteString("| after | sent again |\n|---|---|\n")
	for _, rule := range RetryRules {
		fmt.Fprintf(&table, "| %s | %s |\n", rule.After, rule.Manner)
	}
	if !strings.Contains(string(text), table.String()) {
		t.Errorf("docs/retries.md must hold this table:\n%s", table.String())
	}
}
