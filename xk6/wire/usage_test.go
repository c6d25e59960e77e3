package wire

import (
	"fmt"
	"strings"
	"testing"

	"weighbridge.dev/xk6/sse"
)

func told(n *int64) string {
	if n == nil {
		return "null"
	}
	return fmt.Sprint(*n)
}

func TestACountThatIsNoneIsNotTold(t *testing.T) {
	const most = "9007199254740991"
	for _, c := range []struct {
		kind, usage, input, output, cacheRead string
		doubtful                              bool
	}{
		{"chat", `{"prompt_tokens":5,"completion_tokens":0}`, "5", "0", "null", false},
		{"chat", `{"prompt_tokens":5,"completion_tokens":-1}`, "5", "null", "null", true},
		{"chat", `{"prompt_tokens":5,"completion_tokens":1.5}`, "5", "null", "null", true},
		{"chat", `{"prompt_tokens":5,"completion_tokens":"7"}`, "5", "null", "null", true},
		{"chat", `{"prompt_tokens":5,"completion_tokens":null}`, "5", "null", "null", false},
		{"chat", `{"prompt_tokens":` + most + `,"completion_tokens":9007199254740992}`, most, "null", "null", true},
		{"chat", `{"prompt_tokens":1e400}`, "null", "null", "null", true},
		{"chat", `{"prompt_tokens":5,"prompt_tokens_details":{"cached_tokens":-2}}`, "5", "null", "null", false},
		{"responses", `{"input_tokens":-5,"output_tokens":2}`, "null", "2", "null", true},
		{"messages", `{"input_tokens":5,"cache_read_input_tokens":2,"cache_creation_input_tokens":null}`, "7", "null", "2", false},
		{"messages", `{"input_tokens":5,"cache_read_input_tokens":-2}`, "null", "null", "null", true},
		{"messages", `{"input_tokens":5,"cache_read_input_tokens":1,"cache_creation_input_tokens":-3}`, "null", "null", "1", true},
		{"messages", `{"input_tokens":` + most + `,"cache_read_input_tokens":0}`, most, "null", "0", false},
		{"messages", `{"input_tokens":` + most + `,"cache_read_input_tokens":1}`, "null", "null", "1", true},
	} {
		u := bodyUsage(c.kind, c.usage)
		if u == nil {
			t.Errorf("%s: no usage", c.usage)
			continue
		}
		equal(t, c.usage, told(u.Input)+" "+told(u.Output)+" "+told(u.CacheRead), c.input+" "+c.output+" "+c.cacheRead)
		equal(t, c.usage+" doubtful", u.Peak.Doubtful, c.doubtful)
		equal(t, c.usage+" raw", string(u.Raw), c.usage)
	}
}

func bodyUsage(kind, usage string) *Usage {
	return ReadBody(kind, []byte(`{"usage":`+usage+`}`), false).Usage
}

func TestALargeUsageObjectIsNotKept(t *testing.T) {
	padded := func(size int) string {
		const rest = `{"prompt_tokens":5,"note":""}`
		return strings.Replace(rest, `""`, `"`+strings.Repeat("x", size-len(rest))+`"`, 1)
	}
	if u := bodyUsage("chat", padded(maxRawUsage)); len(u.Raw) != maxRawUsage || *u.Input != 5 {
		t.Errorf("%d bytes, input %s", len(u.Raw), told(u.Input))
	}
	if u := bodyUsage("chat", padded(maxRawUsage+1)); u.Raw != nil || *u.Input != 5 {
		t.Errorf("%d bytes, input %s", len(u.Raw), told(u.Input))
	}
	s := NewStream("messages", false)
	feed := func(usage string) { s.Event(sse.Event{Data: []byte(`{"type":"message_delta","usage":` + usage + `}`)}) }
	feed(`{"input_tokens":3,"output_tokens":1}`)
	for n := range 20 { // none is large, their merge is
		feed(fmt.Sprintf(`{"output_tokens":%d,"note%d":"%s"}`, n+2, n, strings.Repeat("x", 1000)))
	}
	if u := s.Result().Usage; u.Raw != nil || *u.Input != 3 || *u.Output != 21 {
		t.Errorf("%d bytes, input %s, output %s", len(u.Raw), told(u.Input), told(u.Output))
	}
}

func TestTheLargestCountsOfAStreamAreKept(t *testing.T) {
	for kind, c := range map[string]struct{ event, usages, peak string }{
		"chat": {`{"choices":[],"usage":%s}`,
			`{"prompt_tokens":9,"completion_tokens":20000} {"prompt_tokens":10,"completion_tokens":1}`, "10 20000 false"},
		"responses": {`{"type":"response.in_progress","response":{"usage":%s}}`,
			`{"input_tokens":9,"output_tokens":20000} {"input_tokens":-4,"output_tokens":1}`, "9 20000 true"},
		"messages": {`{"type":"message_delta","usage":%s}`,
			`{"input_tokens":8,"cache_read_input_tokens":1,"output_tokens":20000} {"cache_read_input_tokens":2,"output_tokens":1}`,
			"10 20000 false"},
	} {
		s := NewStream(kind, false)
		for usage := range strings.SplitSeq(c.usages, " ") {
			s.Event(sse.Event{Data: fmt.Appendf(nil, c.event, usage)})
		}
		u := s.Result().Usage
		equal(t, kind+" peak", fmt.Sprint(told(u.Peak.Input), " ", told(u.Peak.Output), " ", u.Peak.Doubtful), c.peak)
		equal(t, kind+" last", told(u.Output), "1")
	}
}
