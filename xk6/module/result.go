package module

import (
	"slices"

	"github.com/grafana/sobek"

	"weighbridge.dev/xk6/call"
	"weighbridge.dev/xk6/ledger"
)

// resultObject is the CallResult of the d.ts file: a script pays for the members that it reads.
type resultObject struct {
	rt     *sobek.Runtime
	result *call.Result
}

var resultNames = []string{
	"call_id", "outcome", "error_type", "status", "error_code", "request_id", "ttft_ms", "end_ms", "finish",
	"terminal_seen", "out_chars", "usage", "task_status", "url", "not_sent", "content", "bytes_in", "attempt", "retries",
	"text",
}

// objectOf makes the result of a call; only on the event loop.
func objectOf(rt *sobek.Runtime, result *call.Result) *sobek.Object {
	return rt.NewDynamicObject(&resultObject{rt, result})
}

// Get is a member; nil where there is none of that name.
func (o *resultObject) Get(name string) sobek.Value {
	rt, r, row := o.rt, o.result, &o.result.Row
	switch name {
	case "call_id":
		return rt.ToValue(row.CallID)
	case "outcome":
		return rt.ToValue(row.Outcome)
	case "error_type":
		return rt.ToValue(row.ErrorType)
	case "status":
		return orNull(rt, row.Status)
	case "error_code":
		return orNull(rt, row.ErrorCode)
	case "request_id":
		return orNull(rt, row.RequestID)
	case "ttft_ms":
		return orNull(rt, row.TTFTMS)
	case "end_ms":
		return rt.ToValue(row.EndMS)
	case "finish":
		return orNull(rt, row.Finish)
	case "terminal_seen":
		return orNull(rt, row.TerminalSeen)
	case "out_chars":
		return orNull(rt, row.OutChars)
	case "usage":
		return usageOf(rt, row.Usage)
	case "task_status":
		return orNull(rt, r.TaskStatus)
	case "url":
		return orNull(rt, r.URL)
	case "not_sent":
		return orNull(rt, r.NotSent)
	case "content":
		return orNull(rt, r.Content)
	case "bytes_in":
		return orNull(rt, row.BytesIn)
	case "attempt":
		return rt.ToValue(r.Attempt)
	case "retries":
		return rt.ToValue(r.Retries)
	case "text":
		return rt.ToValue(r.Text)
	}
	return nil
}

// Set refuses: what happened stays.
func (o *resultObject) Set(string, sobek.Value) bool { return false }

// Has tells whether there is a member of a name.
func (o *resultObject) Has(name string) bool { return slices.Contains(resultNames, name) }

// Delete refuses.
func (o *resultObject) Delete(string) bool { return false }

// Keys are the names of all members.
func (o *resultObject) Keys() []string { return resultNames }

func usageOf(rt *sobek.Runtime, usage *ledger.Usage) sobek.Value {
	if usage == nil {
		return sobek.Null()
	}
	object := rt.NewObject()
	_ = object.Set("input", orNull(rt, usage.Input))
	_ = object.Set("output", orNull(rt, usage.Output))
	_ = object.Set("cache_read", orNull(rt, usage.CacheRead))
	_ = object.Set("cache_write", orNull(rt, usage.CacheWrite))
	return object
}

func orNull[T any](rt *sobek.Runtime, value *T) sobek.Value {
	if value == nil {
		return sobek.Null()
	}
	return rt.ToValue(*value)
}
