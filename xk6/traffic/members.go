package traffic

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// Members are what the user adds to each request body of a scenario, ready to be written. A nil one adds nothing.
type Members struct {
	values map[string]json.RawMessage
	rest   []byte // `,"name":value` for each but stream_options
	// streamOptions are the user's; nil where none are said, "null" where there shall be none.
	streamOptions json.RawMessage
	size          int64 // of the text in the plan: no more tokens come of it
}

const streamOptions = "stream_options"

// membersOf reads the canonical JSON object of a plan.
func membersOf(body string) (*Members, error) {
	if body == "" {
		return nil, nil
	}
	m := &Members{size: int64(len(body))}
	if err := json.Unmarshal([]byte(body), &m.values); err != nil || m.values == nil {
		return nil, fmt.Errorf("body: expected a JSON object, found %s", body)
	}
	for _, name := range slices.Sorted(maps.Keys(m.values)) {
		if name == streamOptions {
			m.streamOptions = m.values[name]
			continue
		}
		quoted, err := json.Marshal(name)
		if err != nil {
			return nil, err
		}
		m.rest = append(append(append(append(m.rest, ','), quoted...), ':'), m.values[name]...)
	}
	return m, nil
}

// Bytes is how large the members are; no more input tokens come of them.
func (m *Members) Bytes() int64 {
	if m == nil {
		return 0
	}
	return m.size
}

// AppendTo adds the members to a JSON object that has some of its own and none of these.
func (m *Members) AppendTo(object []byte) []byte {
	if m == nil || len(object) == 0 {
		return object
	}
	return append(append(object[:len(object)-1], m.rest...), '}')
}

// Each hands out the members as fields of a form: a text as it is, all else as JSON.
func (m *Members) Each(field func(name, value string)) {
	if m == nil {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(m.values)) {
		var text string
		if json.Unmarshal(m.values[name], &text) != nil {
			text = string(m.values[name])
		}
		field(name, text)
	}
}

// streamed is what a streamed call asks of its stream: our own members where the user says nothing else; empty for nothing.
func (m *Members) streamed(own string) string {
	if m == nil || m.streamOptions == nil {
		return own
	}
	var said, merged map[string]json.RawMessage
	if json.Unmarshal(m.streamOptions, &said) != nil || said == nil {
		return ""
	}
	if own != "" {
		_ = json.Unmarshal([]byte(own), &merged) // ours
	}
	if merged == nil {
		return string(m.streamOptions)
	}
	maps.Copy(merged, said)
	text, _ := json.Marshal(merged) // of what was read
	return string(text)
}
