package call

import (
	"context"
	"fmt"
	"net/url"

	"weighbridge.dev/xk6/outcome"
)

const (
	// maxLink is the longest link that is followed, in bytes.
	maxLink = 16 << 10
	// maxRedirects is the most that are followed from one link.
	maxRedirects = 5
	// maxVideo is the largest video that is fetched, in bytes; an image may be as large as an answer that holds it.
	maxVideo = 2 << 30
	// undownloaded begins the message of a call whose result was made and could not be fetched whole.
	undownloaded = "the result could not be downloaded: "
)

// freeReads are the requests that follow a paid call and are never charged. Each has a row of its own.
type freeReads struct {
	caller *Caller
	ticket *ticket
	made   int
}

func (r *freeReads) get(ctx context.Context, kind, path string, expect Expect) *exchange {
	r.made++
	paid := r.ticket.req
	req := &Request{
		CallID:    fmt.Sprintf("%s/%s/%d", paid.CallID, kind, r.made),
		LogicalID: paid.LogicalID, Attempt: paid.Attempt, Kind: kind, Method: "GET",
		Path: path, Auth: paid.Auth, Model: paid.Model, Expect: expect,
	}
	if _, own, err := r.caller.resolve(req.Path); err != nil || !own {
		req.Auth = NoAuth
	}
	return r.caller.freeCall(ctx, r.ticket.ledger, r.ticket.counts, req)
}

// picture gets what a link of an answer leads to; a link without an origin is one of the target's.
func (r *freeReads) picture(ctx context.Context, link string) *exchange {
	at, err := r.caller.Root.Parse(link)
	if err != nil || !isWeb(at) {
		x := &exchange{}
		x.notExpected("the link is no http or https address")
		return x
	}
	return r.download(ctx, at.String(), ExpectImage)
}

// download gets content, through redirects.
func (r *freeReads) download(ctx context.Context, path string, expect Expect) *exchange {
	for followed := 0; ; followed++ {
		x := r.get(ctx, "download", path, expect)
		at, _, err := r.caller.resolve(path)
		to := x.header.Get("Location")
		if err != nil || followed == maxRedirects || x.status < 300 || x.status > 399 || to == "" {
			return x
		}
		next, err := at.Parse(to)
		if err != nil || !isWeb(next) {
			return x
		}
		path = next.String()
	}
}

func isWeb(at *url.URL) bool { return at.Host != "" && (at.Scheme == "http" || at.Scheme == "https") }

// download fetches the picture that a paid answer links to: without it the call is no success. The row ends with the answer.
func (t *ticket) download(ctx context.Context, link string) {
	r := freeReads{caller: t.caller, ticket: t}
	x := r.picture(ctx, link)
	t.result.Content = optional(x.content)
	if x.outcome == outcome.Ok {
		return
	}
	if o, is := cut(ctx); is {
		t.judge(o, outcome.Default(o))
		t.row.ErrorMessage = t.prose(messageOf(o))
		return
	}
	t.judge(outcome.BadResponse, outcome.ErrorDownloadFailed)
	t.row.ErrorMessage = t.prose(undownloaded + x.cause())
}

// cause says in short how an exchange failed.
func (x *exchange) cause() string {
	cause := string(x.outcome)
	if x.outcome == outcome.HttpError {
		cause += fmt.Sprintf(" %d", x.status)
	}
	if x.message == "" {
		return cause
	}
	return cause + ", " + x.message
}
