package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// The floor is what a client in Go costs that does nothing but its work: net/http, one goroutine a stream, content
// found by its bytes, a time stamp a read. It parses nothing and keeps no ledger.

var pattern = []byte(`"content":"`)

// transport keeps as many connections as there are workers.
func transport(workers int) *http.Transport {
	return &http.Transport{
		MaxIdleConns: workers, MaxIdleConnsPerHost: workers, DisableCompression: true, IdleConnTimeout: time.Minute,
	}
}

func body(stream bool) []byte {
	return fmt.Appendf(nil, `{"model":"%s","messages":[{"role":"user","content":"%s"}],"max_tokens":50,"stream":%t}`,
		model, strings.Repeat("weigh this ", 18), stream)
}

func post(client *http.Transport, url string, body []byte) (*http.Response, error) {
	request, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := client.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(response.Body, 300))
		_ = response.Body.Close()
		return nil, fmt.Errorf("status %d: %s", response.StatusCode, text)
	}
	return response, nil
}

// tail holds the end of what was read, shorter than the pattern.
type tail [16]byte

// counter counts occurrences of the pattern that may be cut anywhere between reads.
type counter struct {
	tail tail
	kept int
}

func (c *counter) count(read []byte) int {
	found := 0
	if c.kept > 0 {
		// Neither part is as long as the pattern: what is found lies across both.
		var joined [2 * len(tail{})]byte
		n := copy(joined[:], c.tail[:c.kept])
		n += copy(joined[n:], read[:min(len(read), len(pattern)-1)])
		found += bytes.Count(joined[:n], pattern)
	}
	found += bytes.Count(read, pattern)
	keep := min(len(read), len(pattern)-1)
	if keep < len(pattern)-1 { // a read shorter than the pattern: keep some of what was there before
		old := min(c.kept, len(pattern)-1-keep)
		copy(c.tail[:], c.tail[c.kept-old:c.kept])
		c.kept = old
	} else {
		c.kept = 0
	}
	c.kept += copy(c.tail[c.kept:], read[len(read)-keep:])
	return found
}
