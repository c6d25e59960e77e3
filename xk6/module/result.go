package module

import (
	"github.com/grafana/sobek"

	"weighbridge.dev/xk6/call"
	"weighbridge.dev/xk6/ledger"
)

// objectOf makes the CallResult of the d.ts file; only on the event loop.
func objectOf(rt *sobek.Runtime, result call.Result) *sobek.Object {
	row := result.Row
	object := rt.NewObject()
	set := func(name string, value any) { _ = object.Set(name, value) }
	set("call_id", row.CallID)
	set("outcome", row.Outcome)
	set("error_type", row.ErrorType)
	set("status", orNull(row.Status))
	set("error_code", orNull(row.ErrorCode))
	set("request_id", orNull(row.RequestID))
	set("ttft_ms", orNull(row.TTFTMS))
	set("end_ms", row.EndMS)
	set("finish", orNull(row.Finish))
	set("terminal_seen", orNull(row.TerminalSeen))
	set("out_chars", orNull(row.OutChars))
	set("usage", usageOf(rt, row.Usage))
	set("task_status", orNull(result.TaskStatus))
	set("url", orNull(result.URL))
	set("not_sent", orNull(result.NotSent))
	set("content", orNull(result.Content))
	set("bytes_in", orNull(row.BytesIn))
	return object
}

func usageOf(rt *sobek.Runtime, usage *ledger.Usage) any {
	if usage == nil {
		return sobek.Null()
	}
	object := rt.NewObject()
	_ = object.Set("input", orNull(usage.Input))
	_ = object.Set("output", orNull(usage.Output))
	_ = object.Set("cache_read", orNull(usage.CacheRead))
	_ = object.Set("cache_write", orNull(usage.CacheWrite))
	return object
}

func orNull[T any](value *T) any {
	if value == nil {
		return sobek.Null()
	}
	return *value
}
