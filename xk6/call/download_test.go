package call

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"weighbridge.dev/xk6/ledger"
	"weighbridge.dev/xk6/outcome"
)

const picture = "\x89PNG\r\n\x1a\n"

// linkingTo answers an image call with a link, and what is fetched with fetched.
func linkingTo(link string, fetched http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			flush(w, fmt.Sprintf(`{"created":1,"data":[{"url":%q}],"usage":{"input_tokens":10,"output_tokens":20}}`, link))
			return
		}
		fetched(w, r)
	}
}

func serving(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		flush(w, body)
	}
}

func redirect(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/there/f.png" {
		flush(w, picture)
		return
	}
	http.Redirect(w, r, "there/f.png", http.StatusFound)
}

// downloads are the free rows of a ledger, in short.
func downloads(rows []ledger.Row) string {
	said := []string{}
	for _, row := range rows {
		if row.Kind == "download" {
			said = append(said, row.CallID[len("i0/s/0/1"):]+" "+row.Outcome)
		}
	}
	return strings.Join(said, ", ")
}

func TestAnImageIsOkOnlyWhenItsLinkGivesAPicture(t *testing.T) {
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	endless := func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(picture))
		for block := make([]byte, 1<<20); ; {
			if _, err := w.Write(block); err != nil {
				return
			}
		}
	}
	loop := func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path, http.StatusFound) }
	cut := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "5000")
		flush(w, picture)
	}
	for name, c := range map[string]struct {
		link    string
		fetched http.HandlerFunc
		ok      bool
		rows    string
		cause   string
	}{
		"a picture":              {"/f.png", serving(200, picture), true, "/download/1 ok", ""},
		"behind a redirect":      {"/f.png", redirect, true, "/download/1 http_error, /download/2 ok", ""},
		"a dead link":            {"/f.png", serving(403, "expired"), false, "/download/1 http_error", "http_error 403"},
		"a page":                 {"/f.png", serving(200, "<html>"), false, "/download/1 bad_response", "HTML page"},
		"a text":                 {"/f.png", serving(200, "no picture"), false, "/download/1 bad_response", "no PNG, JPEG or WebP"},
		"nothing":                {"/f.png", serving(200, ""), false, "/download/1 bad_response", "empty"},
		"one that is cut":        {"/f.png", cut, false, "/download/1 truncated", "truncated"},
		"one without end":        {"/f.png", endless, false, "/download/1 bad_response", "larger than 64 MiB"},
		"nobody there":           {gone.URL + "/f.png", serving(200, picture), false, "/download/1 net_error", "net_error"},
		"round in a circle":      {"/f.png", loop, false, "/download/1 http_error, /download/2 http_error, /download/3 http_error, /download/4 http_error, /download/5 http_error, /download/6 http_error", "http_error 302"},
		"a file of this machine": {"file:///etc/hostname", serving(200, picture), false, "", "no http or https address"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, "", linkingTo(c.link, c.fetched))
			req := kindRequest("image", false)
			row := b.call(t, req).Row
			want := ending{outcome.BadResponse, outcome.ErrorDownloadFailed}
			if c.ok {
				want = ending{outcome.Ok, outcome.ErrorNone}
			}
			wantOutcome(t, row, want.outcome, want.error)
			if row.Status == nil || *row.Status != 200 {
				t.Error("the status of the row is that of the paid answer")
			}
			_, rows, _ := b.lines(t)
			if found := downloads(rows); found != c.rows {
				t.Errorf("free rows: %s", found)
			}
			if c.cause != "" && (row.ErrorMessage == nil || !strings.HasPrefix(*row.ErrorMessage, "the result could not be downloaded: ") || !strings.Contains(*row.ErrorMessage, c.cause)) {
				t.Errorf("message %v", *row.ErrorMessage)
			}
			if ok := b.caller.Run.Counts.Of("s").OK.Load(); (ok == 1) != c.ok {
				t.Errorf("%d counted as ok", ok)
			}
		})
	}
}

func TestATaskWhoseContentIsNotThereNamesTheDownload(t *testing.T) {
	s := &script{answers: map[string][]answer{submit: {video("completed")}, status: {video("completed")}, content: {{404, ""}}}}
	b := newBench(t, "", s.ServeHTTP)
	result, err := b.caller.Poll(context.Background(), videoRequest(), videoTask)
	if err != nil {
		t.Fatal(err)
	}
	wantOutcome(t, result.Row, outcome.BadResponse, outcome.ErrorDownloadFailed)
	if !strings.Contains(*result.Row.ErrorMessage, "http_error 404") {
		t.Errorf("message %s", *result.Row.ErrorMessage)
	}
}

func TestAVideoBehindARedirectIsFetchedThereWithoutTheKey(t *testing.T) {
	var seen http.Header
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = r.Header.Clone()
		flush(w, mp4)
	}))
	defer other.Close()
	s := &script{answers: map[string][]answer{submit: {video("completed")}}}
	b := newBench(t, "", func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			http.Redirect(w, r, other.URL+"/v.mp4?sig=secret", http.StatusTemporaryRedirect)
			return
		}
		s.ServeHTTP(w, r)
	})
	result, err := b.caller.Poll(context.Background(), videoRequest(), videoTask)
	if err != nil {
		t.Fatal(err)
	}
	wantOutcome(t, result.Row, outcome.Ok, outcome.ErrorNone)
	if _, rows, text := b.lines(t); seen.Get("Authorization") != "" || strings.Contains(text, "sig=secret") || rows[1].Path != other.URL+"/v.mp4" {
		t.Errorf("%v, %s", seen, text)
	}
}

func TestADownloadThatTheRunCutsIsInterrupted(t *testing.T) {
	ctx, interrupt := context.WithCancel(context.Background())
	b := newBench(t, "", linkingTo("/f.png", func(w http.ResponseWriter, r *http.Request) {
		flush(w, picture)
		interrupt()
		<-r.Context().Done()
	}))
	result, err := b.caller.Call(ctx, kindRequest("image", false))
	if err != nil {
		t.Fatal(err)
	}
	wantOutcome(t, result.Row, outcome.Interrupted, outcome.ErrorNone)
}

// The picture was made and is due: what its answer told of its cost holds.
func TestADeadLinkSettlesTheReserveAsASuccessDoes(t *testing.T) {
	plan := strings.Replace(capPlan("1"), `"kind":"chat"`, `"kind":"image"`, 1)
	reserved := map[int]string{}
	for _, status := range []int{200, 403} {
		b := newBench(t, plan, linkingTo("/f.png", serving(status, picture)))
		b.call(t, kindRequest("image", false))
		amount, _ := b.caller.Run.Cap.Reserved()
		reserved[status] = amount.String()
	}
	if reserved[403] != reserved[200] || reserved[200] == "2034" {
		t.Errorf("reserved: %v", reserved)
	}
}

func TestTheTimeOfACallIsThatOfItsAnswerWithoutTheDownload(t *testing.T) {
	b := newBench(t, "", linkingTo("/f.png", func(w http.ResponseWriter, _ *http.Request) {
		<-time.After(50 * time.Millisecond)
		flush(w, picture)
	}))
	row := b.call(t, kindRequest("image", false)).Row
	_, rows, _ := b.lines(t)
	if download := rows[0]; download.Kind != "download" || download.EndMS < 50 || row.EndMS >= download.EndMS {
		t.Errorf("%s %v ms, %s %v ms", download.Kind, download.EndMS, row.Kind, row.EndMS)
	}
}
