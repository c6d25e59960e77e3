package call

import (
	"context"
	"encoding/base64"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"weighbridge.dev/xk6/outcome"
)

const plainChat = `{"id":"c","choices":[{"index":0,"message":{"role":"assistant","content":"hi"},"finish_reason":"stop"}],"usage":{"prompt_tokens":5,"completion_tokens":1}}`

func TestPlainAnswers(t *testing.T) {
	picture := base64.StdEncoding.EncodeToString([]byte("\x89PNG\r\n\x1a\nrest"))
	cases := []struct {
		name, kind string
		status     int
		body       string
		outcome    outcome.Outcome
		error      outcome.ErrorType
	}{
		{"chat", "chat", 200, plainChat, outcome.Ok, outcome.ErrorNone},
		{"another format's shape", "messages", 200, plainChat, outcome.BadResponse, outcome.ErrorSchemaMismatch},
		{"HTML with 200", "chat", 200, "<html></html>", outcome.BadResponse, outcome.ErrorSchemaMismatch},
		{"failed response", "responses", 200, `{"status":"failed","output":[],"error":{"code":"x","message":"y"}}`, outcome.StreamError, outcome.ErrorStreamErrorEvent},
		{"image", "image", 200, `{"created":1,"data":[{"b64_json":"` + picture + `"}]}`, outcome.Ok, outcome.ErrorNone},
		{"image that is none", "image", 200, `{"created":1,"data":[{"b64_json":"aGVsbG8="}]}`, outcome.BadResponse, outcome.ErrorSchemaMismatch},
		{"no image", "image", 200, `{"created":1,"data":[]}`, outcome.BadResponse, outcome.ErrorSchemaMismatch},
		{"read", "read", 200, `{"data":[]}`, outcome.Ok, outcome.ErrorNone},
		{"read of no JSON", "read", 200, `{"data":`, outcome.BadResponse, outcome.ErrorSchemaMismatch},
		{"401", "chat", 401, `{"error":{"message":"Invalid token (request id: q9)","type":"new_api_error","code":""}}`, outcome.HttpError, outcome.ErrorUnauthorized},
		{"403 by code", "chat", 403, `{"error":{"message":"m","type":"t","code":"insufficient_user_quota"}}`, outcome.HttpError, outcome.ErrorInsufficientUserQuota},
		{"403", "chat", 403, `{"error":{"message":"m","type":"t","code":"access_denied"}}`, outcome.HttpError, outcome.ErrorAccessDenied},
		{"404 by code", "chat", 404, `{"error":{"message":"m","type":"invalid_request_error","code":"model_not_found"}}`, outcome.HttpError, outcome.ErrorModelNotFound},
		{"413", "chat", 413, `{"error":{"message":"too large","type":"invalid_request_error","code":""}}`, outcome.HttpError, outcome.ErrorHttp4xx},
		{"422 by code", "chat", 422, `{"error":{"message":"m","type":"t","code":"upstream_rejected"}}`, outcome.HttpError, outcome.ErrorUpstreamRejected},
		{"429 by code", "chat", 429, `{"error":{"message":"m","type":"t","code":"upstream_crowded"}}`, outcome.HttpError, outcome.ErrorUpstreamCrowded},
		{"502 by code", "chat", 502, `{"error":{"message":"m","type":"t","code":"upstream_unavailable"}}`, outcome.HttpError, outcome.ErrorUpstreamUnavailable},
		{"503 by code", "chat", 503, `{"error":{"message":"m","type":"t","code":"upstream_error"}}`, outcome.HttpError, outcome.ErrorUpstreamError},
		{"524 HTML", "chat", 524, "<html><body>timeout</body></html>", outcome.HttpError, outcome.ErrorHttp5xx},
		{"302", "chat", 302, "", outcome.HttpError, outcome.ErrorOther},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, "", func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(c.status)
				flush(w, c.body)
			})
			row := b.call(t, kindRequest(c.kind, false)).Row
			wantOutcome(t, row, c.outcome, c.error)
			if *row.Status != c.status {
				t.Errorf("status %d", *row.Status)
			}
		})
	}
}

func TestABodyShorterThanItsLengthIsTruncated(t *testing.T) {
	b := newBench(t, "", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "500")
		flush(w, plainChat[:50])
	})
	wantOutcome(t, b.call(t, chatRequest(false)).Row, outcome.Truncated, outcome.ErrorStreamTruncated)
}

func TestRequestIDs(t *testing.T) {
	b := newBench(t, "", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Request-Id", "second")
		w.Header().Set("X-Request-Id", "second")
		w.Header().Set("X-Oneapi-Request-Id", "first")
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(http.StatusTooManyRequests)
		flush(w, `{"error":{"message":"slow down (request id: fourth)","type":"t","code":"upstream_crowded"}}`)
	})
	row := b.call(t, chatRequest(false)).Row
	if *row.RequestID != "first" || strings.Join(row.RequestIDs, " ") != "first second fourth" {
		t.Errorf("request_id %s of %v", *row.RequestID, row.RequestIDs)
	}
	if *row.RetryAfterS != 7 || *row.ErrorCode != "upstream_crowded" {
		t.Errorf("retry after %v, code %v", *row.RetryAfterS, *row.ErrorCode)
	}
}

func TestEachTextThatMayBeAnID(t *testing.T) {
	long := strings.Repeat("r", 999) + "1"
	b := newBench(t, "", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Trace", "trace-0001")
		w.Header().Set("X-Echo", key)
		switch answer := r.Header.Get("X-Test"); answer {
		case "stream":
			w.Header().Set("Content-Type", "text/event-stream")
			flush(w, `data: {"id":"chatcmpl-0001","ref":"first-0001","choices":[{"index":0,"delta":{"content":"x"}}]}`+"\n\n"+
				`data: {"ref":"second-0002","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`+"\n\ndata: [DONE]\n\n")
		case "refused":
			w.WriteHeader(400)
			flush(w, `{"error":{"message":"no","ref":"error-0001"}}`)
		default:
			flush(w, `{"id":"`+long+`","ref":"plain-0001","choices":[{"index":0,"message":{"content":"x"},"finish_reason":"stop"}]}`)
		}
	})
	for answer, want := range map[string]map[string]string{
		"plain":   {"header:x-trace": "trace-0001", "body:ref": "plain-0001"},
		"stream":  {"header:x-trace": "trace-0001", "body:ref": "first-0001"},
		"refused": {"header:x-trace": "trace-0001", "error:ref": "error-0001"},
	} {
		req := chatRequest(answer == "stream")
		req.Header.Set("X-Test", answer)
		row := b.call(t, req).Row
		if !maps.Equal(row.OtherIDs, want) {
			t.Errorf("%s: %v", answer, row.OtherIDs)
		}
		if answer == "plain" && *row.ResponseID != long {
			t.Errorf("a long id is cut to %d characters", len(*row.ResponseID))
		}
	}
}

func TestTheCallIDOfLiteLLM(t *testing.T) {
	b := newBench(t, "", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("x-litellm-call-id", "call")
		flush(w, plainChat)
	})
	if row := b.call(t, chatRequest(false)).Row; *row.RequestID != "call" {
		t.Errorf("request_id %s", *row.RequestID)
	}
}

func TestTheKeyNeverReachesALineOrAResult(t *testing.T) {
	b := newBench(t, "", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+key {
			t.Errorf("Authorization: %q", r.Header.Get("Authorization"))
		}
		w.Header().Set("X-Request-Id", "id-"+key)
		w.WriteHeader(http.StatusBadRequest)
		flush(w, `{"error":{"message":"`+strings.Repeat("x", 290)+key+`","type":"`+key+`","code":"`+key+`"}}`)
	})
	result := b.call(t, chatRequest(false))
	_, rows, text := b.lines(t)
	if len(rows) != 1 || strings.Contains(text, key[:12]) {
		t.Errorf("the key stands in the ledger: %s", text)
	}
	for _, field := range []*string{result.Row.ErrorCode, result.Row.APIErrorType, result.Row.ErrorMessage, result.Row.RequestID} {
		if strings.Contains(*field, key[:12]) {
			t.Errorf("the key stands in the result: %s", *field)
		}
	}
	if length := len([]rune(*result.Row.ErrorMessage)); length > maxMessage {
		t.Errorf("a message of %d characters", length)
	}
}

func TestTheKeyStaysOnItsOwnOrigin(t *testing.T) {
	var seen http.Header
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = r.Header.Clone()
		flush(w, "\x89PNG\r\n\x1a\n")
	}))
	defer other.Close()
	b := newBench(t, "", func(http.ResponseWriter, *http.Request) {})
	result, err := b.caller.Call(context.Background(), &Request{
		CallID: "d", LogicalID: "d", Attempt: 1, Kind: "download", Method: "GET", Path: other.URL + "/f.png?sig=secret",
		Auth: Bearer, Expect: ExpectImage,
	})
	if err != nil {
		t.Fatal(err)
	}
	wantOutcome(t, result.Row, outcome.Ok, outcome.ErrorNone)
	if seen.Get("Authorization") != "" || seen.Get("X-Api-Key") != "" {
		t.Errorf("the key went to another origin: %v", seen)
	}
	if _, _, text := b.lines(t); strings.Contains(text, "sig=secret") {
		t.Error("the signature of a link stands in the ledger")
	}
	if *result.Content != "png" {
		t.Errorf("content %s", *result.Content)
	}
}

func TestAPIKeyHeader(t *testing.T) {
	b := newBench(t, "", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Api-Key") != key || r.Header.Get("Authorization") != "" {
			t.Errorf("headers: %v", r.Header)
		}
		if r.Header.Get("User-Agent") != "weighbridge/0.1.0 run/adhoc" {
			t.Errorf("User-Agent: %s", r.Header.Get("User-Agent"))
		}
		flush(w, plainChat)
	})
	req := chatRequest(false)
	req.Auth = XAPIKey
	wantOutcome(t, b.call(t, req).Row, outcome.Ok, outcome.ErrorNone)
}

func TestMisuseIsAnError(t *testing.T) {
	b := newBench(t, "", func(http.ResponseWriter, *http.Request) { t.Error("nothing may be sent") })
	if err := b.caller.Run.CloseLedger(); err != nil {
		t.Fatal(err)
	}
	if _, err := b.caller.Call(context.Background(), chatRequest(false)); err == nil || !strings.Contains(err.Error(), "--out weighbridge") {
		t.Errorf("want a message that names the flag, found %v", err)
	}
}
