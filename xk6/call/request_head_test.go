package call

import (
	"fmt"
	"net/http"
	"net/url"
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

func TestTheHeadersOfThePlanGoToTheTargetAlone(t *testing.T) {
	b := newBench(t, "", func(http.ResponseWriter, *http.Request) {})
	b.caller.Run.Headers = http.Header{"X-Tenant": {"a"}, "Authorization": {"Bearer other"}}
	own, err := b.caller.headOf(chatRequest(false))
	if err != nil {
		t.Fatal(err)
	}
	if own.header.Get("X-Tenant") != "a" || own.header.Get("Authorization") != "Bearer other" {
		t.Errorf("to the target: %v", own.header)
	}
	link := chatRequest(false)
	link.Path = "https://elsewhere.example/a.png"
	foreign, err := b.caller.headOf(link)
	if err != nil {
		t.Fatal(err)
	}
	if foreign.header.Get("X-Tenant") != "" || foreign.header.Get("Authorization") != "" {
		t.Errorf("to another origin: %v", foreign.header)
	}
}

func TestTheBaseOfAnotherVersionStandsForV1(t *testing.T) {
	b := newBench(t, "", func(http.ResponseWriter, *http.Request) {})
	b.caller.Root, _ = url.Parse("https://host/v1beta/openai")
	urlOf := func(path string) string {
		t.Helper()
		target, own, err := b.caller.resolve(path)
		if err != nil || !own {
			t.Fatal(err, own)
		}
		return target.String()
	}
	b.caller.V1 = b.caller.Root
	for path, want := range map[string]string{
		"/v1/chat/completions": "https://host/v1beta/openai/chat/completions",
		"/v1/a%2Fb?x=1":        "https://host/v1beta/openai/a%2Fb?x=1",
		"/pricing":             "https://host/v1beta/openai/pricing",
	} {
		if found := urlOf(path); found != want {
			t.Errorf("%s: %s", path, found)
		}
	}
	if b.caller.V1 = nil; urlOf("/v1/models") != "https://host/v1beta/openai/v1/models" {
		t.Error(urlOf("/v1/models"))
	}
}
