package main

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// shape is how the mock answers. It is the first segment of the path, so that any client can ask for it by its URL:
// /ttft=200.itl=20.chunks=50/v1/chat/completions. Times are in milliseconds. No comma, at which some clients split URLs.
type shape struct {
	plain      bool // a whole JSON answer after `service`, whatever the request asks
	ttft, itl  time.Duration
	chunks     int
	spread     time.Duration // a random time below this one is added to ttft
	roleFirst  bool          // a chunk with a role and no content at once
	service    time.Duration
	arrivals   bool // keep when each plain request arrived
	bodyTokens int  // size of a plain answer
}

func shapeOf(path string) (shape, error) {
	segment, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	segment, err := url.PathUnescape(segment)
	if err != nil {
		return shape{}, err
	}
	s := shape{chunks: 1, bodyTokens: 50}
	for _, word := range strings.Split(segment, ".") {
		name, text, _ := strings.Cut(word, "=")
		value := 0
		if text != "" {
			if value, err = strconv.Atoi(text); err != nil {
				return shape{}, fmt.Errorf("shape %q: %w", segment, err)
			}
		}
		ms := time.Duration(value) * time.Millisecond
		switch name {
		case "plain":
			s.plain = true
		case "ttft":
			s.ttft = ms
		case "itl":
			s.itl = ms
		case "chunks":
			s.chunks = max(value, 1)
		case "spread":
			s.spread = ms
		case "role":
			s.roleFirst = true
		case "service":
			s.service = ms
		case "arrivals":
			s.arrivals = true
		default:
			return shape{}, fmt.Errorf("shape %q: unknown word %q", segment, name)
		}
	}
	return s, nil
}
