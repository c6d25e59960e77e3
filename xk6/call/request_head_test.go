package call

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"weighbridge.dev/xk6/secret"
)

// Requests that are alike share a head; one that differs in anything the head follows from has its own.
func TestARememberedHeadIsThatOfALikeRequestOnly(t *testing.T) {
	b := newBench(t, "", func(http.ResponseWriter, *http.Request) {})
	b.caller.Heads = &Heads{}
	plain := func(change func(*Request)) *Request {
		req := chatRequest(false)
		change(req)
		return req
	}
	headOf := func(change func(*Request)) *requestHead {
		t.Helper()
		head, err := b.caller.headOf(plain(change))
		if err != nil {
			t.Fatal(err)
		}
		return head
	}
	same := func(*Request) {}
	if headOf(same) != headOf(same) {
		t.Error("like requests do not share their head")
	}
	for name, c := range map[string]struct {
		change       func(*Request)
		header, want string
	}{
		"a stream":       {func(r *Request) { r.Stream = true }, "Accept", "text/event-stream"},
		"another path":   {func(r *Request) { r.Path = "/v1/models?x=1" }, "Accept", "application/json"},
		"another auth":   {func(r *Request) { r.Auth = XAPIKey }, "X-Api-Key", key},
		"no key":         {func(r *Request) { r.Auth = NoAuth }, "Authorization", ""},
		"another body":   {func(r *Request) { r.ContentType = "multipart/form-data; boundary=b" }, "Content-Type", "multipart/form-data; boundary=b"},
		"no body":        {func(r *Request) { r.Body = nil }, "Content-Type", ""},
		"its own header": {func(r *Request) { r.Header = http.Header{"X-Own": {"1"}} }, "X-Own", "1"},
		"another value":  {func(r *Request) { r.Header = http.Header{"X-Own": {"2"}} }, "X-Own", "2"},
	} {
		before := headOf(same)
		head := headOf(c.change)
		req := plain(c.change)
		wantURL := b.server.URL + req.Path
		if head == before || head.url.String() != wantURL || head.header.Get(c.header) != c.want {
			t.Errorf("%s: %s with %q", name, head.url, head.header.Get(c.header))
		}
	}
}

// Start n is made, read and told of with key n mod count, also where its head looks like that of the start before.
func TestStartsTakeTheKeysByTurns(t *testing.T) {
	var sent []string
	b := newBench(t, "", func(w http.ResponseWriter, r *http.Request) {
		sent = append(sent, r.Header.Get("Authorization"))
		_, _ = w.Write([]byte("{}"))
	})
	b.caller.Run.Keys = secret.NewKeys([]string{"sk-one", "sk-two"})
	b.caller.Heads = &Heads{}
	for n := range int64(3) {
		b.caller.Iteration = &n
		req := chatRequest(false)
		req.CallID = fmt.Sprint("c", n)
		b.call(t, req)
	}
	if want := []string{"Bearer sk-one", "Bearer sk-two", "Bearer sk-one"}; !slices.Equal(sent, want) {
		t.Errorf("sent with %v, want %v", sent, want)
	}
	one, two := secret.NewKey("sk-one").Fingerprint(), secret.NewKey("sk-two").Fingerprint()
	var told []string
	_, rows, _ := b.lines(t)
	for _, row := range rows {
		told = append(told, *row.KeyFP)
	}
	if want := []string{*one, *two, *one}; !slices.Equal(told, want) {
		t.Errorf("rows of %v, want %v", told, want)
	}
}
