package call

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
)

// requestHead is what a request has beside its body. Requests that are alike share one: nobody may change it.
type requestHead struct {
	likeness
	asked  http.Header // by the request itself
	url    *url.URL
	header http.Header
}

// likeness is what a head follows from, beside the headers that are asked for.
type likeness struct {
	path, accept, contentType string
	auth                      Auth
	// fingerprint is that of its key, nil without one; each key has one for good.
	fingerprint *string
}

func (c *Caller) likenessOf(req *Request) likeness {
	l := likeness{path: req.Path, accept: accept(req), auth: req.Auth, fingerprint: c.fingerprint(req)}
	if req.Body != nil {
		l.contentType = req.ContentType
	}
	return l
}

// Heads remembers the head of the last request: nearly all requests of a client are alike. The zero value is ready; all
// who share it have one root.
type Heads struct{ last atomic.Pointer[requestHead] }

func (c *Caller) headOf(req *Request) (*requestHead, error) {
	like := c.likenessOf(req)
	if c.Heads == nil {
		return c.newHead(req, like)
	}
	last := c.Heads.last.Load()
	if last != nil && last.likeness == like && maps.EqualFunc(last.asked, req.Header, slices.Equal[[]string]) {
		return last, nil
	}
	head, err := c.newHead(req, like)
	if err == nil {
		c.Heads.last.Store(head)
	}
	return head, err
}

func (c *Caller) newHead(req *Request, like likeness) (*requestHead, error) {
	target, own, err := c.resolve(req.Path)
	if err != nil {
		return nil, err
	}
	header := make(http.Header, len(req.Header)+4)
	header.Set("Accept", like.accept)
	for name, values := range req.Header {
		header[http.CanonicalHeaderKey(name)] = values
	}
	if req.Body != nil && header.Get("Content-Type") == "" {
		header.Set("Content-Type", like.contentType)
	}
	header.Set("User-Agent", c.Run.UserAgent())
	if key := c.key(); own && key.Present() { // a link to another origin never sees the key
		switch req.Auth {
		case Bearer:
			header.Set("Authorization", "Bearer "+key.Reveal())
		case XAPIKey:
			header.Set("X-Api-Key", key.Reveal())
		case NoAuth:
		}
	}
	if own { // what the user says goes over all else
		maps.Copy(header, c.Run.Headers)
	}
	return &requestHead{likeness: like, asked: req.Header, url: target, header: header}, nil
}

func accept(req *Request) string {
	switch {
	case req.Stream:
		return "text/event-stream"
	case req.Expect == ExpectMP4 || req.Expect == ExpectBytes || req.Kind == "download":
		return "*/*"
	default:
		return "application/json"
	}
}

// resolve gives the URL of a path and whether it is on the target's own origin.
func (c *Caller) resolve(path string) (target *url.URL, own bool, err error) {
	ref, err := url.Parse(path)
	if err != nil {
		return nil, false, err
	}
	if ref.IsAbs() {
		return ref, ref.Scheme == c.Root.Scheme && ref.Host == c.Root.Host, nil
	}
	base, path, raw := c.Root, ref.Path, ref.EscapedPath()
	if under, is := strings.CutPrefix(path, "/v1/"); is && c.V1 != nil {
		base, path, raw = c.V1, "/"+under, strings.TrimPrefix(raw, "/v1")
	}
	joined := *base
	joined.Path = base.Path + path
	joined.RawPath = base.EscapedPath() + raw
	joined.RawQuery = ref.RawQuery
	return &joined, true, nil
}
