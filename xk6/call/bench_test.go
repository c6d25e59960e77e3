package call

import (
	"context"
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
)

const benchEvents = 50

// paced hands out one event a read, as a socket does whose events come apart.
type paced struct {
	events []string
	next   int
}

func (p *paced) Read(b []byte) (int, error) {
	if p.next == len(p.events) {
		return 0, io.EOF
	}
	p.next++
	return copy(b, p.events[p.next-1]), nil
}

func (p *paced) Close() error { return nil }

type answersAtOnce struct{ events []string }

func (a answersAtOnce) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: 200, Proto: "HTTP/1.1", Header: http.Header{"Content-Type": {"text/event-stream"}},
		Body: &paced{events: a.events}, Request: r,
	}, nil
}

func benchEventsOfAStream() []string {
	events := make([]string, 0, benchEvents+2)
	for range benchEvents {
		events = append(events, `data: {"id":"chatcmpl-20261120","object":"chat.completion.chunk","created":1763600000,`+
			`"model":"acme/swift-1","choices":[{"index":0,"delta":{"content":" word"},"logprobs":null,"finish_reason":null}]}`+"\n\n")
	}
	return append(events, chatFinish, chatDone)
}

// BenchmarkStream is a stream of 50 content events without its socket; per event all but the read call.
func BenchmarkStream(b *testing.B) {
	bench := newBench(b, "", func(http.ResponseWriter, *http.Request) {})
	bench.caller.Transport = answersAtOnce{benchEventsOfAStream()}
	b.ReportAllocs()
	b.ResetTimer()
	for b.Loop() {
		x := bench.caller.exchange(context.Background(), chatRequest(true), bench.caller.Timeouts, readStream(chatRequest(true), bench.caller.Timeouts, false))
		if x.outcome != "ok" || x.events != benchEvents {
			b.Fatalf("%s after %d events", x.outcome, x.events)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*(benchEvents+2)), "ns/event")
}

// BenchmarkCall is the same stream with intent, row and judgement.
func BenchmarkCall(b *testing.B) {
	bench := newBench(b, "", func(http.ResponseWriter, *http.Request) {})
	bench.caller.Transport = answersAtOnce{benchEventsOfAStream()}
	b.ReportAllocs()
	b.ResetTimer()
	for b.Loop() {
		result, err := bench.caller.Call(context.Background(), chatRequest(true))
		if err != nil || result.Row.Outcome != "ok" {
			b.Fatal(result.Row.Outcome, err)
		}
	}
}

type answersPlainly struct{ body string }

func (a answersPlainly) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: 200, Proto: "HTTP/1.1", Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(strings.NewReader(a.body)), Request: r,
	}, nil
}

// BenchmarkPlainCall is a call whose answer comes in one piece, with intent, row and judgement.
func BenchmarkPlainCall(b *testing.B) {
	bench := newBench(b, "", func(http.ResponseWriter, *http.Request) {})
	bench.caller.Heads = &Heads{}
	bench.caller.Transport = answersPlainly{`{"id":"chatcmpl-1","object":"chat.completion","model":"m","choices":[{"index":0,` +
		`"message":{"role":"assistant","content":"some words of an answer"},"finish_reason":"stop"}],` +
		`"usage":{"prompt_tokens":5,"completion_tokens":2,"total_tokens":7}}`}
	b.ReportAllocs()
	b.ResetTimer()
	for b.Loop() {
		result, err := bench.caller.Call(context.Background(), chatRequest(false))
		if err != nil || result.Row.Outcome != "ok" {
			b.Fatal(result.Row.Outcome, err)
		}
	}
}

// held gives one event and then nothing until it is let go.
type held struct {
	event   string
	reading *sync.WaitGroup
	release <-chan struct{}
}

func (h *held) Read(b []byte) (int, error) {
	if h.event != "" {
		n := copy(b, h.event)
		h.event = ""
		return n, nil
	}
	h.reading.Done()
	<-h.release
	return 0, io.EOF
}

func (h *held) Close() error { return nil }

type holds struct {
	reading *sync.WaitGroup
	release <-chan struct{}
}

func (h holds) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: 200, Proto: "HTTP/1.1", Header: http.Header{"Content-Type": {"text/event-stream"}},
		Body: &held{delta("a"), h.reading, h.release}, Request: r,
	}, nil
}

// BenchmarkHeldStreams tells what a stream under way holds, its goroutine included and the transport not.
func BenchmarkHeldStreams(b *testing.B) {
	const streams = 2000
	bench := newBench(b, "", func(http.ResponseWriter, *http.Request) {})
	inUse := func() uint64 {
		var stats runtime.MemStats
		runtime.GC()
		runtime.GC() // the first leaves pools their victims
		runtime.ReadMemStats(&stats)
		return stats.HeapInuse + stats.StackInuse
	}
	for b.Loop() {
		release, reading, over := make(chan struct{}), &sync.WaitGroup{}, &sync.WaitGroup{}
		bench.caller.Transport = holds{reading, release}
		before := inUse()
		reading.Add(streams)
		for range streams {
			over.Go(func() {
				_, _ = bench.caller.Call(context.Background(), chatRequest(true))
			})
		}
		reading.Wait()
		b.ReportMetric(float64(inUse()-before)/streams, "B/stream")
		close(release)
		over.Wait()
	}
}
