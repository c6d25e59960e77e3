package call

import (
	"net/http"
	"strings"
	"testing"

	"weighbridge.dev/xk6/outcome"
)

const page = "\n<!DOCTYPE html>\n<html><head><title>Just a moment</title></head></html>"

func TestAPageWithStatus200IsNoAnswer(t *testing.T) {
	cases := []struct {
		name string
		req  func() *Request
	}{
		{"stream", func() *Request { return chatRequest(true) }},
		{"plain", func() *Request { return chatRequest(false) }},
		{"messages", func() *Request { return kindRequest("messages", false) }},
		{"image", func() *Request { return kindRequest("image", false) }},
		{"read", func() *Request { return kindRequest("read", false) }},
		{"picture", func() *Request {
			req := kindRequest("download", false)
			req.Expect = ExpectImage
			return req
		}},
		{"MP4", func() *Request {
			req := kindRequest("download", false)
			req.Expect = ExpectMP4
			return req
		}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, "", func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/html")
				flush(w, page)
			})
			row := b.call(t, c.req()).Row
			wantOutcome(t, row, outcome.BadResponse, outcome.ErrorSchemaMismatch)
			if !strings.HasSuffix(*row.ErrorMessage,
				"an HTML page: <!DOCTYPE html> <html><head><title>Just a moment</title></head></html>") {
				t.Errorf("message %q", *row.ErrorMessage)
			}
		})
	}
}

func TestAKeyOfAnotherSiteNamesItsBaseFirst(t *testing.T) {
	for _, c := range []struct{ served, want string }{
		{"This key was issued elsewhere. " + strings.Repeat("Really. ", 60) + "Use https://eu.gateway.example/v1. (request id: q7)",
			"the key belongs to https://eu.gateway.example/v1: This key was issued elsewhere."},
		{"Create a key on this site. (request id: q8)", "Create a key on this site."},
	} {
		b := newBench(t, "", func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusForbidden)
			flush(w, `{"error":{"message":"`+c.served+`","type":"new_api_error","code":"key_site_mismatch"}}`)
		})
		row := b.call(t, chatRequest(false)).Row
		wantOutcome(t, row, outcome.HttpError, outcome.ErrorKeySiteMismatch)
		if !strings.HasPrefix(*row.ErrorMessage, c.want) {
			t.Errorf("message %q", *row.ErrorMessage)
		}
		if !strings.HasPrefix(*row.RequestID, "q") {
			t.Errorf("request id %v", row.RequestID)
		}
	}
}

func TestTextIsKeptOnlyWhereItIsAskedFor(t *testing.T) {
	for _, stream := range []bool{true, false} {
		b := newBench(t, "", func(w http.ResponseWriter, _ *http.Request) {
			if stream {
				sseHead(w)
				flush(w, delta("secret ")+delta("wörds")+chatFinish+chatDone)
			} else {
				flush(w, strings.Replace(plainChat, `"hi"`, `"secret w\u00f6rds"`, 1))
			}
		})
		if got := b.call(t, chatRequest(stream)).Text; got != "" {
			t.Errorf("text %q was not asked for", got)
		}
		req := chatRequest(stream)
		req.KeepText = true
		if got := b.call(t, req).Text; got != "secret wörds" {
			t.Errorf("text %q", got)
		}
		if _, _, text := b.lines(t); strings.Contains(text, "secret") {
			t.Error("the text stands in the ledger")
		}
	}
}
