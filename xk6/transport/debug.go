package transport

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
)

// Level is how much of an exchange is logged: nothing, its headers, or its plain bodies too.
type Level string

// The levels, named as k6's --http-debug names them.
const (
	Off     Level = "off"
	Headers Level = "headers"
	Full    Level = "full"
)

// LevelOf is the wider of two levels, of which either may be empty. A word that k6 takes for headers is headers.
func LevelOf(planned, flag string) Level {
	switch {
	case planned == string(Full) || flag == string(Full):
		return Full
	case planned == string(Headers) || flag != "" && flag != string(Off):
		return Headers
	default:
		return Off
	}
}

// shownBody is the most of a body that is logged.
const shownBody = 64 << 10

var exchanges atomic.Int64

// Debug logs each exchange that passes. Headers that carry credentials, queries of links and the texts of prompts and
// answers are hidden, and Scrub takes the key out of what is left.
type Debug struct {
	Next  http.RoundTripper
	Level Level
	// Hidden names headers of the user's own whose values are secrets, in canonical form.
	Hidden []string
	Scrub  func(string) string
	Log    func(exchange int64, text string)
}

// RoundTrip implements http.RoundTripper.
func (d *Debug) RoundTrip(req *http.Request) (*http.Response, error) {
	n := exchanges.Add(1)
	said, req := d.request(req)
	d.Log(n, d.Scrub(said))
	response, err := d.Next.RoundTrip(req)
	if err != nil {
		d.Log(n, d.Scrub("No answer:\n"+err.Error()))
		return nil, err
	}
	var out strings.Builder
	fmt.Fprintf(&out, "Response:\n%s %s\n", response.Proto, response.Status)
	writeHeaders(&out, response.Header, d.Hidden)
	d.Log(n, d.Scrub(out.String()))
	contentType := response.Header.Get("Content-Type")
	if d.Level == Full && !strings.HasPrefix(contentType, "text/event-stream") {
		response.Body = &heard{ReadCloser: response.Body, say: func(body []byte, whole bool) {
			d.Log(n, d.Scrub("Response body:\n"+readable(contentType, body, whole)))
		}}
	}
	return response, nil
}

// request tells what is sent, and gives it with a body that is still to be read: there is no second one to look at.
func (d *Debug) request(req *http.Request) (string, *http.Request) {
	var out strings.Builder
	fmt.Fprintf(&out, "Request:\n%s %s HTTP/1.1\nHost: %s\n", req.Method, withoutQuery(req.URL.RequestURI()), req.URL.Host)
	writeHeaders(&out, req.Header, d.Hidden)
	if req.ContentLength > 0 {
		fmt.Fprintf(&out, "Content-Length: %d\n", req.ContentLength)
	}
	if d.Level != Full || req.Body == nil || req.ContentLength == 0 {
		return out.String(), req
	}
	text, err := io.ReadAll(io.LimitReader(req.Body, shownBody))
	again := *req
	again.Body = &unread{Reader: io.MultiReader(bytes.NewReader(text), req.Body), Closer: req.Body}
	if err == nil {
		whole := int64(len(text)) == req.ContentLength
		fmt.Fprintf(&out, "\n%s\n", readable(req.Header.Get("Content-Type"), text, whole))
	}
	return out.String(), &again
}

// unread is a body whose beginning was looked at.
type unread struct {
	io.Reader
	io.Closer
}

// heard keeps the beginning of a body that passes, and says it once: at its end, or when it is closed.
type heard struct {
	io.ReadCloser
	text  bytes.Buffer
	whole bool
	more  bool
	say   func(body []byte, whole bool)
}

func (h *heard) Read(into []byte) (int, error) {
	n, err := h.ReadCloser.Read(into)
	room := shownBody - h.text.Len()
	h.text.Write(into[:min(n, room)])
	h.more = h.more || n > room
	if err == io.EOF {
		h.whole = !h.more
		h.end()
	}
	return n, err
}

func (h *heard) Close() error {
	h.end()
	return h.ReadCloser.Close()
}

func (h *heard) end() {
	if h.say != nil {
		h.say(h.text.Bytes(), h.whole)
		h.say = nil
	}
}
