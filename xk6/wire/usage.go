package wire

import (
	"bytes"
	"encoding/json"
)

// Usage is what the target says a call used. A field that was not served is nil, never 0.
type Usage struct {
	// Input is normalised: cache reads and writes are inside, in every format.
	Input, Output, CacheRead, CacheWrite, Reasoning *int64
	// Raw is the usage object as served, the last one seen; in the messages format the merge of all of them.
	Raw json.RawMessage
}

func (s *scan) count() *int64 {
	if n, ok := s.integer(); ok {
		return &n
	}
	return nil
}

// readUsage decodes a usage object of a format. Nil for an empty one: some gateways send {} before the real one.
func readUsage(kind string, raw []byte) *Usage {
	s := scan{b: raw}
	u := &Usage{Raw: append(json.RawMessage(nil), raw...)}
	if !s.object() {
		return nil
	}
	members := 0
	for ; s.key(); members++ {
		switch kind + "." + string(s.name) {
		case "chat.prompt_tokens", "responses.input_tokens", "messages.input_tokens":
			u.Input = s.count()
		case "chat.completion_tokens", "responses.output_tokens", "messages.output_tokens":
			u.Output = s.count()
		case "messages.cache_read_input_tokens":
			u.CacheRead = s.count()
		case "messages.cache_creation_input_tokens":
			u.CacheWrite = s.count()
		case "chat.prompt_tokens_details", "responses.input_tokens_details":
			u.readInputDetails(&s)
		case "chat.completion_tokens_details", "responses.output_tokens_details":
			u.readOutputDetails(&s)
		default:
			s.skip()
		}
	}
	if members == 0 || !s.done() {
		return nil
	}
	if kind == KindMessages && u.Input != nil {
		// In this format alone input_tokens leaves the cache out.
		sum := *u.Input
		for _, part := range []*int64{u.CacheRead, u.CacheWrite} {
			if part != nil {
				sum += *part
			}
		}
		u.Input = &sum
	}
	return u
}

func (u *Usage) readInputDetails(s *scan) {
	if !s.object() {
		return
	}
	for s.key() {
		switch string(s.name) {
		case "cached_tokens":
			u.CacheRead = s.count()
		case "cache_write_tokens":
			u.CacheWrite = s.count()
		default:
			s.skip()
		}
	}
}

func (u *Usage) readOutputDetails(s *scan) {
	if !s.object() {
		return
	}
	for s.key() {
		if string(s.name) == "reasoning_tokens" {
			u.Reasoning = s.count()
		} else {
			s.skip()
		}
	}
}

type member struct{ name, value []byte }

// mergeObjects overwrites the members of base with those of update. Counts are cumulative, so nothing is added up;
// a null does not take back a number that was served before.
func mergeObjects(base, update []byte) []byte {
	all := appendMembers(appendMembers(nil, base), update)
	out := []byte{'{'}
	for _, m := range all {
		if len(out) > 1 {
			out = append(out, ',')
		}
		name, _ := json.Marshal(string(m.name)) // a string always marshals
		out = append(append(append(out, name...), ':'), m.value...)
	}
	return append(out, '}')
}

func appendMembers(all []member, object []byte) []member {
	s := scan{b: object}
	if !s.object() {
		return all
	}
next:
	for s.key() {
		name, value := s.name, s.raw()
		for i := range all {
			if bytes.Equal(all[i].name, name) {
				if value != nil {
					all[i].value = value
				}
				continue next
			}
		}
		if value == nil {
			value = []byte("null")
		}
		all = append(all, member{name, value})
	}
	return all
}
