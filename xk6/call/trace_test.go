package call

import (
	"io"
	"net/http"
	"net/http/httptrace"
	"testing"
	"time"

	"weighbridge.dev/xk6/outcome"
)

// The host of the package hears how each exchange ended, also where no answer came or its body broke off.
func TestTheHostHearsOfEveryEnding(t *testing.T) {
	for name, c := range map[string]struct {
		answer  http.HandlerFunc
		status  int // 0 for no answer
		outcome outcome.Outcome
		cut     bool
	}{
		"refusal":   {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) }, 418, outcome.HttpError, false},
		"no answer": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, 0, outcome.NetError, true},
		"silence":   {func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, 0, outcome.TimeoutHeaders, true},
		"cut body": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			_, _ = io.WriteString(w, `{"id":`)
		}, 200, outcome.Truncated, true},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, "", c.answer)
			b.caller.Timeouts.Headers = 200 * time.Millisecond
			heard := 0
			b.caller.Trace = func(string) (*httptrace.ClientTrace, Done) {
				return &httptrace.ClientTrace{}, func(response *http.Response, o outcome.Outcome, err error) {
					heard++
					status := 0
					if response != nil {
						status = response.StatusCode
					}
					if status != c.status || o != c.outcome || (err != nil) != c.cut {
						t.Errorf("status %d, outcome %s, %v", status, o, err)
					}
				}
			}
			b.call(t, chatRequest(false))
			if heard != 1 {
				t.Errorf("heard %d times", heard)
			}
		})
	}
}
