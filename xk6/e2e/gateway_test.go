package e2e

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

const png = "\x89PNG\r\n\x1a\n and what follows"

var markerPattern = regexp.MustCompile(`\bwb[0-9a-f]{16}\b`)

// gateway is a small good target: all three text formats, images, jobs and videos.
type gateway struct {
	*httptest.Server
	// beforePaid sees each paid request before it is answered.
	beforePaid func(path, marker string)
	// gap between stream events.
	gap time.Duration

	mu       sync.Mutex
	markers  []string
	bodies   []map[string]any // of requests in JSON
	headers  []http.Header
	problems []string
	polls    map[string]int
	next     int
}

func newGateway(t *testing.T) *gateway {
	g := &gateway{polls: map[string]int{}, gap: time.Millisecond}
	mux := http.NewServeMux()
	paid := func(path string, answer func(w http.ResponseWriter, body map[string]any)) {
		mux.HandleFunc("POST "+path, func(w http.ResponseWriter, r *http.Request) { g.paid(w, r, answer) })
	}
	paid("/v1/chat/completions", g.chat)
	paid("/v1/completions", g.completion)
	paid("/v1/embeddings", g.embedding)
	paid("/v1/responses", g.responses)
	paid("/v1/messages", g.messages)
	paid("/v1/images/generations", g.image)
	paid("/v1/images/edits", g.image)
	paid("/v1/images/generations/jobs", g.job)
	paid("/v1/images/edits/jobs", func(w http.ResponseWriter, _ map[string]any) {
		http.Error(w, `{"error":{"message":"no such route (request id: nr1)","type":"new_api_error","code":""}}`, http.StatusNotFound)
	})
	paid("/v1/videos", func(w http.ResponseWriter, _ map[string]any) {
		_, _ = fmt.Fprintf(w, `{"id":%q,"object":"video","status":"queued"}`, g.id("video"))
	})
	mux.HandleFunc("GET /v1/images/jobs/{id}", func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprintf(w, `{"job_id":%q,"status":%q}`, r.PathValue("id"), g.status(r.PathValue("id")))
	})
	mux.HandleFunc("GET /v1/images/jobs/{id}/result", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintf(w, `{"created":1,"data":[{"url":%q}]}`, g.URL+"/files/1.png?signature=not-for-the-ledger")
	})
	mux.HandleFunc("GET /v1/videos/{id}", func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprintf(w, `{"id":%q,"object":"video","status":%q}`, r.PathValue("id"), g.status(r.PathValue("id")))
	})
	mux.HandleFunc("GET /v1/videos/{id}/content", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "video/mp4")
		_, _ = w.Write(append([]byte("\x00\x00\x00\x18ftypmp42"), make([]byte, 4096)...))
	})
	mux.HandleFunc("GET /files/1.png", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, png) })
	g.Server = httptest.NewServer(mux)
	t.Cleanup(g.Close)
	return g
}

func (g *gateway) paid(w http.ResponseWriter, r *http.Request, answer func(http.ResponseWriter, map[string]any)) {
	text, err := io.ReadAll(r.Body)
	marker := markerPattern.FindString(string(text))
	g.mu.Lock()
	g.markers = append(g.markers, marker)
	g.headers = append(g.headers, r.Header.Clone())
	before := g.beforePaid
	g.mu.Unlock()
	if err != nil || marker == "" {
		g.problem("%s: no marker in the body (%v)", r.URL.Path, err)
	}
	if r.URL.Path == "/v1/messages" && r.Header.Get("Anthropic-Version") == "" {
		g.problem("%s: no version header", r.URL.Path)
	}
	if before != nil {
		before(r.URL.Path, marker)
	}
	var body map[string]any
	if strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
		if err := json.Unmarshal(text, &body); err != nil {
			g.problem("%s: %v", r.URL.Path, err)
		}
		g.mu.Lock()
		g.bodies = append(g.bodies, body)
		g.mu.Unlock()
	}
	w.Header().Set("X-Oneapi-Request-Id", g.id("req"))
	answer(w, body)
}

func (g *gateway) problem(format string, values ...any) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.problems = append(g.problems, fmt.Sprintf(format, values...))
}

func (g *gateway) id(prefix string) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.next++
	return fmt.Sprintf("%s-%d", prefix, g.next)
}

func (g *gateway) status(id string) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.polls[id]++
	return []string{"queued", "in_progress", "completed"}[min(g.polls[id]-1, 2)]
}

func (g *gateway) received() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return append([]string{}, g.markers...)
}

func (g *gateway) events(w http.ResponseWriter, events ...string) {
	w.Header().Set("Content-Type", "text/event-stream")
	for _, event := range events {
		_, _ = io.WriteString(w, event+"\n\n")
		w.(http.Flusher).Flush()
		time.Sleep(g.gap)
	}
}

func (g *gateway) chat(w http.ResponseWriter, body map[string]any) {
	const usage = `"usage":{"prompt_tokens":50,"completion_tokens":3,"total_tokens":53}`
	if body["stream"] != true {
		_, _ = io.WriteString(w, `{"id":"c1","model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"one two three"},"finish_reason":"stop"}],`+usage+`}`)
		return
	}
	g.events(w,
		`data: {"id":"c1","model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}`,
		`data: {"id":"c1","model":"m","choices":[{"index":0,"delta":{"content":"one "}}]}`,
		`data: {"id":"c1","model":"m","choices":[{"index":0,"delta":{"content":"two "}}]}`,
		`data: {"id":"c1","model":"m","choices":[{"index":0,"delta":{"content":"three"}}]}`,
		`data: {"id":"c1","model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`,
		`data: {"id":"c1","model":"m","choices":[],`+usage+`}`,
		`data: [DONE]`)
}

func (g *gateway) completion(w http.ResponseWriter, body map[string]any) {
	const usage = `"usage":{"prompt_tokens":9,"completion_tokens":2,"total_tokens":11}`
	if body["stream"] != true {
		_, _ = io.WriteString(w, `{"id":"cmpl-1","choices":[{"index":0,"text":"two words","finish_reason":"stop"}],`+usage+`}`)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for _, data := range []string{
		`{"id":"cmpl-1","choices":[{"index":0,"text":"two","finish_reason":null}]}`,
		`{"id":"cmpl-1","choices":[{"index":0,"text":" words","finish_reason":"stop"}]}`,
		`{"id":"cmpl-1","choices":[],` + usage + `}`, "[DONE]",
	} {
		_, _ = fmt.Fprintf(w, "data: %s\n\n", data)
	}
}

func (g *gateway) embedding(w http.ResponseWriter, _ map[string]any) {
	_, _ = io.WriteString(w, `{"object":"list","data":[{"object":"embedding","index":0,"embedding":[0.25,-0.5]}],"usage":{"prompt_tokens":9,"total_tokens":9}}`)
}

func (g *gateway) responses(w http.ResponseWriter, body map[string]any) {
	const done = `{"id":"r1","object":"response","status":"completed","model":"m","output":[{"type":"message","content":[{"type":"output_text","text":"one two"}]}],"usage":{"input_tokens":50,"output_tokens":2}}`
	if body["stream"] != true {
		_, _ = io.WriteString(w, done)
		return
	}
	g.events(w,
		"event: response.created\ndata: {\"type\":\"response.created\",\"response\":{\"id\":\"r1\",\"model\":\"m\"}}",
		"event: response.output_text.delta\ndata: {\"type\":\"response.output_text.delta\",\"delta\":\"one \"}",
		"event: response.output_text.delta\ndata: {\"type\":\"response.output_text.delta\",\"delta\":\"two\"}",
		"event: response.completed\ndata: {\"type\":\"response.completed\",\"response\":"+done+"}")
}

func (g *gateway) messages(w http.ResponseWriter, body map[string]any) {
	if body["stream"] != true {
		_, _ = io.WriteString(w, `{"id":"m1","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"one"}],"stop_reason":"end_turn","usage":{"input_tokens":50,"output_tokens":1}}`)
		return
	}
	g.events(w,
		"event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"m1\",\"model\":\"m\",\"usage\":{\"input_tokens\":50,\"output_tokens\":1}}}",
		"event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"one \"}}",
		"event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"two\"}}",
		"event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":2}}",
		"event: message_stop\ndata: {\"type\":\"message_stop\"}")
}

func (g *gateway) image(w http.ResponseWriter, body map[string]any) {
	if body["response_format"] == "url" {
		_, _ = fmt.Fprintf(w, `{"created":1,"data":[{"url":%q}]}`, g.URL+"/files/1.png?signature=not-for-the-ledger")
		return
	}
	_, _ = fmt.Fprintf(w, `{"created":1,"data":[{"b64_json":%q}]}`, base64.StdEncoding.EncodeToString([]byte(png)))
}

func (g *gateway) job(w http.ResponseWriter, _ map[string]any) {
	w.WriteHeader(http.StatusAccepted)
	_, _ = fmt.Fprintf(w, `{"job_id":%q,"status":"queued"}`, g.id("job"))
}
