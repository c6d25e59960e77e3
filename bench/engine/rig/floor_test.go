package main

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

func TestContentIsFoundHoweverReadsCutIt(t *testing.T) {
	text := []byte(strings.Repeat(`data: {"delta":{"content":"word ","content":"x"}}`+"\n\n", 3) + `"content":`)
	want := bytes.Count(text, pattern)
	for size := 1; size <= len(text); size++ {
		var c counter
		found := 0
		for at := 0; at < len(text); at += size {
			found += c.count(text[at:min(at+size, len(text))])
		}
		if found != want {
			t.Errorf("reads of %d bytes: want %d, found %d", size, want, found)
		}
	}
}

func TestAShapeIsReadFromThePath(t *testing.T) {
	s, err := shapeOf("/ttft=200.itl=20.chunks=50.spread=1000.role/v1/chat/completions")
	if err != nil {
		t.Fatal(err)
	}
	want := shape{ttft: 200 * time.Millisecond, itl: 20 * time.Millisecond, chunks: 50, spread: time.Second,
		roleFirst: true, bodyTokens: 50}
	if s != want {
		t.Errorf("want %+v, found %+v", want, s)
	}
	if _, err := shapeOf("/tftt=200/v1"); err == nil {
		t.Error("an unknown word passed")
	}
}
