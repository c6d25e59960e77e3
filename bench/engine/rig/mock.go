package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"time"
)

const model = "aspen-mini"

// mock serves chat completions until its standard input ends. It prints its address first.
func mock(args []string) error {
	flags := flag.NewFlagSet("mock", flag.ContinueOnError)
	address := flags.String("listen", "127.0.0.1:0", "address")
	if err := flags.Parse(args); err != nil {
		return err
	}
	debug.SetGCPercent(400) // its own pauses would be in the truth, but fewer are better
	listener, err := net.Listen("tcp", *address)
	if err != nil {
		return err
	}
	m := &mockServer{book: newBook()}
	server := &http.Server{Handler: m, ReadHeaderTimeout: time.Minute}
	fmt.Printf("http://%s\n", listener.Addr())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		_ = server.Close()
	}()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

type mockServer struct{ book *book }

func (m *mockServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path == "/control/reset":
		m.book.reset()
	case r.URL.Path == "/control/report":
		_ = m.book.report(w, r.URL.Query().Get("detail") != "")
	case strings.HasPrefix(r.URL.Path, "/control/"):
		http.NotFound(w, r)
	default:
		s, err := shapeOf(r.URL.Path)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		if s.plain {
			m.plain(w, r, s)
		} else {
			m.stream(w, r, s)
		}
	}
}

func (m *mockServer) plain(w http.ResponseWriter, r *http.Request, s shape) {
	id := m.book.arrive(s.arrivals)
	_, _ = io.Copy(io.Discard, r.Body)
	if s.service > 0 {
		time.Sleep(s.service)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Oneapi-Request-Id", requestID(id))
	_, _ = fmt.Fprintf(w, `{"id":"chatcmpl-%d","object":"chat.completion","created":1,"model":"%s","choices":[`+
		`{"index":0,"message":{"role":"assistant","content":"%s"},"finish_reason":"stop"}],`+
		`"usage":{"prompt_tokens":40,"completion_tokens":%d,"total_tokens":%d}}`,
		id, model, strings.Repeat("word ", s.bodyTokens), s.bodyTokens, 40+s.bodyTokens)
}

func requestID(id int64) string { return "rig-" + strconv.FormatInt(id, 10) }

// stream sends each event at an absolute time after the arrival: one that is late does not move those behind it.
func (m *mockServer) stream(w http.ResponseWriter, r *http.Request, s shape) {
	truth := m.book.enter(s.chunks)
	defer m.book.leave()
	_, _ = io.Copy(io.Discard, r.Body)
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Oneapi-Request-Id", requestID(truth.id))
	w.WriteHeader(http.StatusOK)
	flusher, _ := w.(http.Flusher)
	chunk := func(delta, finish string) string {
		return fmt.Sprintf(`data: {"id":"chatcmpl-%d","object":"chat.completion.chunk","created":1,"model":"%s",`+
			`"choices":[{"index":0,"delta":%s,"finish_reason":%s}]}`+"\n\n", truth.id, model, delta, finish)
	}
	if s.roleFirst {
		_, _ = io.WriteString(w, chunk(`{"role":"assistant","content":""}`, "null"))
	}
	flusher.Flush()
	content := []byte(chunk(`{"content":"word "}`, "null"))
	due := truth.arrived + s.ttft
	if s.spread > 0 {
		due += rand.N(s.spread)
	}
	for n := range s.chunks {
		time.Sleep(due - m.book.now())
		text := content
		if n == s.chunks-1 { // with the end in the same write, so that the end is when the last content came
			text = append(bytes.Clone(content), ending(chunk(`{}`, `"stop"`), truth.id, s.chunks)...)
		}
		if _, err := w.Write(text); err != nil || r.Context().Err() != nil {
			truth.cut = true
			return
		}
		flusher.Flush()
		truth.sent = append(truth.sent, m.book.now())
		due += s.itl
	}
}

func ending(finish string, id int64, chunks int) string {
	return finish + fmt.Sprintf(`data: {"id":"chatcmpl-%d","object":"chat.completion.chunk","created":1,"model":"%s",`+
		`"choices":[],"usage":{"prompt_tokens":40,"completion_tokens":%d,"total_tokens":%d}}`+"\n\ndata: [DONE]\n\n",
		id, model, chunks, 40+chunks)
}
