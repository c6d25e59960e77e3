package sse

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func collect(t *testing.T, p *Parser, chunks ...string) []string {
	t.Helper()
	var got []string
	for _, c := range chunks {
		if err := p.Feed([]byte(c), func(ev Event) {
			got = append(got, fmt.Sprintf("%s|%s", ev.Type, ev.Data))
		}); err != nil {
			t.Fatal(err)
		}
	}
	return got
}

func TestEventsOfOneFeedStayValidUntilTheNext(t *testing.T) {
	p := NewParser(0)
	collect(t, p, "event: a\ndata: 1\ndata: 2", "")
	var events []Event
	chunk := []byte("\n\nevent: b\ndata: 3\ndata: 4\n\ndata: 5\n\nevent: c\ndata: 6\ndata: 7\ndata: hal")
	if err := p.Feed(chunk, func(ev Event) { events = append(events, ev) }); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, ev := range events {
		got = append(got, fmt.Sprintf("%s|%s", ev.Type, ev.Data))
	}
	if want := []string{"a|1\n2", "b|3\n4", "|5"}; !slices.Equal(got, want) {
		t.Fatalf("got %q, want %q", got, want)
	}
	if got := collect(t, p, "f\n\n"); !slices.Equal(got, []string{"c|6\n7\nhalf"}) {
		t.Fatalf("got %q", got)
	}
}

func TestEventOfACarriedLineStaysValidUntilTheNext(t *testing.T) {
	p := NewParser(0)
	collect(t, p, "data: fir")
	var held Event
	if err := p.Feed([]byte("st\n\ndata: other"), func(ev Event) { held = ev }); err != nil {
		t.Fatal(err)
	}
	if string(held.Data) != "first" {
		t.Fatalf("got %q", held.Data)
	}
	if got := collect(t, p, "\n\n"); !slices.Equal(got, []string{"|other"}) {
		t.Fatalf("got %q", got)
	}
}

// Every chunk of a long stream may end inside an event: the memory must not grow with the stream.
func TestMemoryIsBoundedByOneEvent(t *testing.T) {
	p := NewParser(0)
	chunk := []byte("more\n\nevent: a\ndata: x\n\nevent: a\ndata: one\ndata: ")
	for range 10000 {
		if err := p.Feed(chunk, func(Event) {}); err != nil {
			t.Fatal(err)
		}
	}
	if kept := cap(p.data.store) + cap(p.typ.store) + cap(p.line) + cap(p.spare); kept > 1024 {
		t.Fatalf("%d bytes kept", kept)
	}
}

func TestPendingIsHalfAnEvent(t *testing.T) {
	for input, want := range map[string]bool{
		"": false, "data: x\n\n": false, "data: x\n": true, "d": true, "event: x\n": true, ": comm": false, ": comment\n": false,
		"id: 1\n": true, "data: x\r": true, "data: x\r\n": true, "data: x\r\n\r\n": false, "data: x\r\r": false, "\xEF\xBB\xBF": false, "\xEF\xBB": true, "\n\n": false,
	} {
		p := NewParser(0)
		collect(t, p, input)
		if p.Pending() != want {
			t.Errorf("%q: pending %v", input, p.Pending())
		}
	}
}

func TestCommentsAreCounted(t *testing.T) {
	p := NewParser(0)
	collect(t, p, ": PING\n\n:\r", "\n:unfinished")
	if p.Comments() != 2 {
		t.Fatalf("got %d", p.Comments())
	}
}

func TestOversize(t *testing.T) {
	for name, input := range map[string]string{
		"one line":         "data: " + strings.Repeat("x", 100) + "\n\n",
		"unfinished line":  "data: " + strings.Repeat("x", 100),
		"many short lines": strings.Repeat("data: xxxx\n", 20),
		"comment":          ":" + strings.Repeat("x", 100),
		"event name":       "event: " + strings.Repeat("x", 50) + "\ndata: " + strings.Repeat("x", 20) + "\n\n",
	} {
		for cut := range input {
			p := NewParser(64)
			err := p.Feed([]byte(input[:cut]), func(Event) {})
			if err == nil {
				err = p.Feed([]byte(input[cut:]), func(Event) {})
			}
			if !errors.Is(err, ErrOversize) {
				t.Fatalf("%s cut at %d: %v", name, cut, err)
			}
			if err := p.Feed([]byte("data: x\n\n"), func(Event) { t.Fatal("event after oversize") }); !errors.Is(err, ErrOversize) {
				t.Fatalf("%s: alive again: %v", name, err)
			}
		}
	}
	p := NewParser(64)
	if got := collect(t, p, strings.Repeat("data: "+strings.Repeat("x", 50)+"\n\n", 10)); len(got) != 10 {
		t.Fatalf("many small events: %d", len(got))
	}
}

func TestOneLargeEventInSmallChunks(t *testing.T) {
	payload := bytes.Repeat([]byte("0123456789abcdef"), 1<<18) // 4 MiB
	stream := append(append([]byte("data: head\ndata: "), payload...), "\n\n"...)
	p, seen := NewParser(0), 0
	for chunk := range slices.Chunk(stream, 1000) {
		if err := p.Feed(chunk, func(ev Event) {
			seen++
			if !bytes.Equal(ev.Data[5:], payload) {
				t.Fatal("payload changed")
			}
		}); err != nil {
			t.Fatal(err)
		}
	}
	if seen != 1 {
		t.Fatalf("%d events", seen)
	}
}

func TestNoAllocationPerEvent(t *testing.T) {
	p := NewParser(0)
	chunk := []byte(strings.Repeat("event: delta\ndata: {\"x\":1}\n\n", 50) + "data: cut he")
	rest := []byte("re\n\n")
	n := 0
	on := func(Event) { n++ }
	if got := testing.AllocsPerRun(100, func() { _ = p.Feed(chunk, on); _ = p.Feed(rest, on) }); got > 0 {
		t.Fatalf("%v allocations for 51 events", got)
	}
	if n != 101*51 {
		t.Fatalf("%d events", n)
	}
}

func BenchmarkFeed(b *testing.B) {
	chunk := []byte(strings.Repeat(`data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":" word"},"finish_reason":null}]}`+"\n\n", 20))
	p := NewParser(0)
	b.SetBytes(int64(len(chunk)))
	b.ReportAllocs()
	for b.Loop() {
		if err := p.Feed(chunk, func(Event) {}); err != nil {
			b.Fatal(err)
		}
	}
}
