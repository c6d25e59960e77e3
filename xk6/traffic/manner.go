package traffic

import (
	"regexp"
	"strings"
	"sync/atomic"
)

// The names under which a chat format takes the output limit.
const (
	maxTokens           = "max_tokens"
	maxCompletionTokens = "max_completion_tokens"
)

// What a refusal teaches, in the words of the ledger's state lines.
const (
	LearntCompletionTokens = "max_completion_tokens"
	LearntNoStreamOptions  = "no_stream_options"
)

// Manner is how the target of a scenario wants its requests, where servers differ. It is learnt from refusals: safe for
// concurrent use. The zero value is what nearly all take.
type Manner struct {
	// LimitKey is the configured name of the output limit; "" for one that may be learnt.
	LimitKey                       string
	completionTokens, plainStreams atomic.Bool
}

// A limit that is refused for its size is none that has another name.
var isUnknown = regexp.MustCompile(
	`(?i)unsupported|not supported|unrecogni[sz]ed|unknown|unexpected|extra|not permitted|not allowed|forbidden|deprecated`)

// Learn takes the message of a refusal, and reports whether it names something that can be said in another way.
func (m *Manner) Learn(message string) bool {
	if m == nil {
		return false
	}
	known := false
	if m.LimitKey == "" && strings.Contains(message, maxTokens) && isUnknown.MatchString(message) {
		m.completionTokens.Store(true)
		known = true
	}
	if strings.Contains(message, streamOptions) || strings.Contains(message, "include_usage") {
		m.plainStreams.Store(true)
		known = true
	}
	return known
}

// Learnt names all that was learnt so far.
func (m *Manner) Learnt() []string {
	var learnt []string
	if m.completionTokens.Load() {
		learnt = append(learnt, LearntCompletionTokens)
	}
	if m.plainStreams.Load() {
		learnt = append(learnt, LearntNoStreamOptions)
	}
	return learnt
}

func (m *Manner) limitKey() string {
	switch {
	case m == nil:
		return maxTokens
	case m.LimitKey != "":
		return m.LimitKey
	case m.completionTokens.Load():
		return maxCompletionTokens
	}
	return maxTokens
}

// usageOption asks a stream for its usage.
func (m *Manner) usageOption() string {
	if m != nil && m.plainStreams.Load() {
		return ""
	}
	return `{"include_usage":true}`
}
