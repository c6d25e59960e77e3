package wire

import (
	"strings"
	"testing"
)

func TestReadBody(t *testing.T) {
	const chat = `{"id":"c","model":"m","service_tier":"default","choices":[{"index":0,"message":{"role":"assistant","content":"Hé"},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":2}}`
	const responses = `{"id":"r","model":"m","status":"completed","error":null,"output":[{"type":"reasoning","summary":[{"type":"summary_text","text":"so"}]},{"type":"message","content":[{"type":"output_text","text":"Hé"}]}],"usage":{"input_tokens":3,"output_tokens":2}}`
	const messages = `{"id":"g","type":"message","model":"m","content":[{"type":"thinking","thinking":"so"},{"type":"text","text":"Hé"}],"stop_reason":"end_turn","usage":{"input_tokens":1,"cache_read_input_tokens":2,"output_tokens":2,"service_tier":"standard"}}`
	for _, c := range []struct {
		name, kind, body, errorType, finish, text string
		input                                     int64 // -1: no usage
	}{
		{"chat", "chat", chat, "", "stop", "Hé", 3},
		{"responses", "responses", responses, "", "completed", "Hé", 3},
		{"messages", "messages", messages, "", "end_turn", "Hé", 3},
		{"chat, spaced", "chat", "\n" + strings.ReplaceAll(chat, ",", " ,\n") + "\n", "", "stop", "Hé", 3},
		{"chat without usage", "chat", `{"choices":[{"message":{"content":"x"},"finish_reason":"length"}]}`, "", "length", "x", -1},
		{"chat, tool call only", "chat", `{"choices":[{"message":{"content":null,"tool_calls":[{"function":{"arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`, "", "tool_calls", "", -1},
		{"chat, no choices", "chat", `{"choices":[]}`, "schema_mismatch", "", "", -1},
		{"chat, no finish", "chat", `{"choices":[{"message":{"content":"x"},"finish_reason":null}]}`, "schema_mismatch", "", "x", -1},
		{"chat, no message", "chat", `{"choices":[{"finish_reason":"stop"}]}`, "schema_mismatch", "stop", "", -1},
		{"chat, one choice of two has no message", "chat", `{"choices":[{"finish_reason":"stop"},{"index":1,"message":{},"finish_reason":"stop"}]}`, "schema_mismatch", "stop", "", -1},
		{"chat, another format", "chat", messages, "schema_mismatch", "", "", 1}, // usage is read by the asked format's names: none known
		{"responses, length", "responses", `{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},"output":[]}`, "", "length", "", -1},
		{"responses, filtered", "responses", `{"status":"incomplete","incomplete_details":{"reason":"content_filter"},"output":[]}`, "stream_incomplete", "content_filter", "", -1},
		{"responses, failed", "responses", `{"status":"failed","error":{"code":"server_error","message":"no"},"output":[]}`, "stream_error_event", "failed", "", -1},
		{"responses, no output", "responses", `{"status":"completed"}`, "schema_mismatch", "completed", "", -1},
		{"responses, in progress", "responses", `{"status":"in_progress","output":[]}`, "schema_mismatch", "", "", -1},
		{"messages, empty content", "messages", `{"content":[],"stop_reason":"end_turn"}`, "", "end_turn", "", -1},
		{"messages, no content", "messages", `{"stop_reason":"end_turn"}`, "schema_mismatch", "end_turn", "", -1},
		{"messages, no stop_reason", "messages", `{"content":[]}`, "schema_mismatch", "", "", -1},
		{"error in a 200", "chat", `{"error":{"message":"no","type":"new_api_error","code":"upstream_error"}}`, "schema_mismatch", "", "", -1},
		{"error beside an answer", "chat", strings.Replace(chat, `"id"`, `"error":{"code":"upstream_error"},"id"`, 1), "schema_mismatch", "stop", "Hé", 3},
		{"no JSON", "chat", "<html>", "schema_mismatch", "", "", -1},
		{"cut JSON", "chat", chat[:len(chat)-1], "schema_mismatch", "", "", -1},
		{"array", "messages", "[]", "schema_mismatch", "", "", -1},
		{"empty", "responses", "", "schema_mismatch", "", "", -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := ReadBody(c.kind, []byte(c.body), true)
			equal(t, "error type", r.ErrorType, c.errorType)
			equal(t, "complete", r.Complete, c.errorType == "")
			equal(t, "finish", r.Finish, c.finish)
			equal(t, "hash", r.TextSHA256, hashOf(c.text))
			equal(t, "chars", r.OutChars, len([]rune(c.text)))
			equal(t, "usage", r.Usage != nil, c.input >= 0)
			if c.errorType == "" && c.input >= 0 {
				equal(t, "input", *r.Usage.Input, c.input)
				equal(t, "output", *r.Usage.Output, 2)
			}
		})
	}
	r := ReadBody("chat", []byte(`{"error":{"message":"no","type":"new_api_error","code":"upstream_error"}}`), true)
	equal(t, "code", r.ErrorCode+r.APIErrorType+r.ErrorMessage, "upstream_errornew_api_errorno")
	r = ReadBody("responses", []byte(`{"status":"failed","error":{"code":"server_error","message":"no"}}`), true)
	equal(t, "code", r.ErrorCode+r.ErrorMessage, "server_errorno")
	r = ReadBody("messages", []byte(messages), true)
	equal(t, "identity", r.ResponseID+r.Model+r.ServiceTier, "gmstandard")
	equal(t, "raw", string(r.Usage.Raw), `{"input_tokens":1,"cache_read_input_tokens":2,"output_tokens":2,"service_tier":"standard"}`)
	r = ReadBody("chat", []byte(chat), true)
	equal(t, "identity", r.ResponseID+r.Model+r.ServiceTier, "cmdefault")
}

func TestReadError(t *testing.T) {
	long := strings.Repeat("é", 2000)
	for _, c := range []struct {
		name, body string
		want       APIError
		ids        string
	}{
		{"OpenAI formats", `{"error":{"message":"Busy (request id: A1)","type":"new_api_error","code":"upstream_crowded","param":""}}`, APIError{Message: "Busy (request id: A1)", Type: "new_api_error", Code: "upstream_crowded"}, "A1"},
		{"messages", `{"type":"error","error":{"type":"invalid_request_error","message":"No.","code":""},"request_id":"R9"}`, APIError{Message: "No.", Type: "invalid_request_error"}, "R9"},
		{"account", `{"success":false,"message":"Unauthorized"}`, APIError{Message: "Unauthorized"}, ""},
		{"numeric code", `{"error":{"message":"x","code":429}}`, APIError{Message: "x", Code: "429"}, ""},
		{"null code", `{"error":{"message":"x","code":null,"type":null}}`, APIError{Message: "x"}, ""},
		{"error text", `{"error":"gone"}`, APIError{Message: "gone"}, ""},
		{"several ids", `{"error":{"message":"a (request id: up-1) b (Request ID: up-1) c (request id: gw-2) (request id: ) (request id: open"}}`, APIError{Message: "a (request id: up-1) b (Request ID: up-1) c (request id: gw-2) (request id: ) (request id: open"}, "gw-2,up-1"},
		{"id past the cut", `{"error":{"message":"` + long + ` (request id: Z)"}}`, APIError{Message: long[:2*1000]}, "Z"},
		{"HTML", "\n<!DOCTYPE HTML><html>524</html>", APIError{Message: "<!DOCTYPE HTML><html>524</html>", HTML: true}, ""},
		{"text", " upstream\\connect error \xff", APIError{Message: "upstream\\connect error \uFFFD"}, ""},
		{"empty", "", APIError{}, ""},
		{"unknown JSON", `{"detail":"x"}`, APIError{Message: `{"detail":"x"}`}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := ReadError([]byte(c.body))
			equal(t, "ids", strings.Join(got.RequestIDs, ","), c.ids)
			equal(t, "message", got.Message, c.want.Message)
			equal(t, "type", got.Type, c.want.Type)
			equal(t, "code", got.Code, c.want.Code)
			equal(t, "HTML", got.HTML, c.want.HTML)
		})
	}
}

func TestReadImages(t *testing.T) {
	im, ok := ReadImages([]byte(`{"created":1763600000,"data":[{"url":"https:\/\/x\/1"},{"b64_json":"aGk=","url":null}],"usage":{"input_tokens":7,"output_tokens":100}}`))
	if !ok || len(im.URLs) != 1 || im.URLs[0] != "https://x/1" || len(im.B64) != 1 || im.B64[0] != "aGk=" || *im.Created != 1763600000 || *im.Usage.Input != 7 || *im.Usage.Output != 100 {
		t.Fatalf("%+v %v", im, ok)
	}
	if im, ok := ReadImages([]byte(`{"data":[{"url":"u"}]}`)); !ok || im.Created != nil || im.Usage != nil {
		t.Fatalf("%+v %v", im, ok)
	}
	for _, body := range []string{"", "[]", "{}", `{"data":[]}`, `{"data":[{}]}`, `{"data":[{"url":""}]}`, `{"data":[{"url":"u"},{}]}`, `{"data":"u"}`, `{"data":[{"url":"u"}]`, `{"error":{"message":"x"}}`} {
		if _, ok := ReadImages([]byte(body)); ok {
			t.Errorf("%s: taken as an image response", body)
		}
	}
}

func TestReadTask(t *testing.T) {
	task, ok := ReadTask([]byte(`{"job_id":"j1","id":"other","status":"failed","error":{"code":"moderation","message":"No."}}`), "job_id")
	if want := (Task{"j1", "failed", "moderation", "No."}); !ok || task != want {
		t.Fatalf("%+v %v", task, ok)
	}
	if task, ok := ReadTask([]byte(`{"id":"v1","status":"queued","error":null}`), "id"); !ok || task != (Task{ID: "v1", Status: "queued"}) {
		t.Fatalf("%+v %v", task, ok)
	}
	if task, ok := ReadTask([]byte(`{"status":"queued"}`), "id"); ok || task.Status != "queued" {
		t.Fatalf("%+v %v", task, ok)
	}
	for _, body := range []string{"", "null", `{"id":"v1"}`, `{"id":7,"status":"queued"}`, `{"id":"v1","status":"queued"`} {
		if _, ok := ReadTask([]byte(body), "id"); ok {
			t.Errorf("%s: taken as a task", body)
		}
	}
}

func TestReadUsagePage(t *testing.T) {
	const settled = `{"id":"u","billing_status":"settled","amount":"0.5","refunded_amount":"0","extra":{}}`
	for _, c := range []struct {
		body  string
		want  string
		whole bool
	}{
		{`{"currency":"USD","data":[` + settled + `,{"billing_status":"refunded","amount":"1","refunded_amount":"1"}],"has_more":false}`,
			"u  settled 0.5 0,  refunded 1 1", true},
		{`{"data":[{"request_id":"q","amount":"0"}],"has_more":false}`, " q  0 ", true},
		{`{"data":[` + settled + `],"data":[],"has_more":false}`, "u  settled 0.5 0", false},
		{`{"data":7,"data":[],"has_more":false}`, "", false},
		{`{"data":[],"has_more":true,"has_more":false}`, "", false},
		{`{"data":[{"id":"u","billing_status":"settled","amount":"1","amount":"0"}],"has_more":false}`, "    ", true},
		{`{"data":[],"has_more":false}`, "", true},
		{`{"data":[` + settled + `],"has_more":true}`, "u  settled 0.5 0", false},
		{`{"data":[` + settled + `]}`, "u  settled 0.5 0", false},
		{`{"data":[` + settled + `],"has_more":"false"}`, "u  settled 0.5 0", false},
		{`{"data":[7],"has_more":false}`, "    ", true}, // a record of no status proves nothing
		{`{"data":{},"has_more":false}`, "", false},
		{`{"has_more":false}`, "", false},
		{`{"data":[` + settled + `],"has_more":false`, "", false},
		{`<html>`, "", false},
		{``, "", false},
	} {
		records, whole := ReadUsagePage([]byte(c.body))
		var got []string
		for _, r := range records {
			got = append(got, strings.Join([]string{r.ID, r.RequestID, r.BillingStatus, r.Amount, r.RefundedAmount}, " "))
		}
		equal(t, c.body, strings.Join(got, ","), c.want)
		equal(t, c.body, whole, c.whole)
	}
}

func TestFirstURL(t *testing.T) {
	for message, want := range map[string]string{
		"Use https://eu.gateway.example/v1. (request id: q)":   "https://eu.gateway.example/v1",
		"of (HTTP://127.0.0.1:8080), not of https://b.example": "HTTP://127.0.0.1:8080",
		`"https://a.example/"`:                                 "https://a.example/",
		"https:// or http:/x, but http://c.example!":           "http://c.example",
		"https://a.example\x1b[2J":                             "https://a.example",
		"https://a.example\u202egnp":                           "https://a.example",
		"create a key on this site":                            "",
		"http":                                                 "",
		"":                                                     "",
	} {
		equal(t, message, FirstURL(message), want)
	}
}

func TestBeginning(t *testing.T) {
	equal(t, "one line", Beginning([]byte("\n <html>\r\n\t<b>\xff</b> ")), "<html> <b>\uFFFD</b>")
	equal(t, "cut", Beginning([]byte(strings.Repeat("é", 5000))), strings.Repeat("é", 120)+"…")
	equal(t, "empty", Beginning(nil), "")
}
