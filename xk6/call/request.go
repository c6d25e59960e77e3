// Package call makes one call to the target and accounts for it: cap, intent, transport, clock, outcome, row.
// It knows nothing of k6.
package call

import (
	"net/http"
	"time"

	"weighbridge.dev/xk6/ledger"
	"weighbridge.dev/xk6/wire"
)

// Timeouts of a call; 0 means none. FirstToken and Total count from sent, Headers from the connection,
// Idle is the longest silence between two reads of a body, Task runs from submit to the whole content.
type Timeouts struct {
	Connect, Headers, FirstToken, Idle, Total, Task time.Duration
}

// Auth is how a request carries the key.
type Auth string

// The three ways.
const (
	Bearer  Auth = "bearer"
	XAPIKey Auth = "x-api-key"
	NoAuth  Auth = "none"
)

// Expect is what the answer must hold.
type Expect string

// What a body may be expected to be; ExpectNone takes the kind's default.
const (
	ExpectNone  Expect = ""
	ExpectJSON  Expect = "json"
	ExpectImage Expect = "image"
	ExpectMP4   Expect = "mp4"
	ExpectBytes Expect = "bytes"
)

// Request is one call.
type Request struct {
	CallID, LogicalID string
	Attempt           int
	Kind, Method      string
	// Path under the root, or an absolute URL.
	Path        string
	Header      http.Header
	Body        []byte
	ContentType string
	Auth        Auth
	Model       *string
	MaxTokens   *int64
	PromptBytes *int64
	Units       *ledger.Units
	Expect      Expect
	Stream      bool
	// FinishEnds takes a stream for whole that ends without [DONE] and has a finish_reason for each choice.
	FinishEnds bool
	// StopAfter cuts the call on purpose; the zero value lets it run.
	StopAfter StopAfter
	// KeepText asks for Result.Text.
	KeepText bool
	// Marker stands in the body; a retry, whose call id is another, replaces it by NextMarker of that id, which must
	// have the same length. Without a marker a retry sends the same bytes.
	Marker     string
	NextMarker func(callID string) string
	// Adapt writes the body anew, with the marker of this request, where the message of a refusal says what the target
	// wants in another way; nil for a body that is as it is.
	Adapt func(req *Request, message string) (body []byte, learnt []string)
	// Turn of a session, and words of padding in the prompt; nil for none. Both only go into the row.
	Turn      *int
	Watermark *int64
}

// StopAfter says when we cut a call, to see what a disconnect costs: at whichever comes first. An answer that was
// whole before is ok.
type StopAfter struct {
	// Time after sent; 0 for none. Of a task, wherever it is by then.
	Time time.Duration
	// Events is the number of content events of a stream; 0 for none. Events that came in the same read count too.
	Events int
}

// Task says how a job or video task is followed after its submit.
type Task struct {
	// IDField of the submit answer holds the identifier: job_id or id.
	IDField string
	// StatusPath and ResultPath hold {id}.
	StatusPath, ResultPath string
	// ResultKind is result (an image response) or download (an MP4).
	ResultKind string
	First, Max time.Duration
	Factor     float64
}

// Result is what a script learns of a call. It is large, and the stacks of all calls under way would hold copies: it goes
// by pointer.
type Result struct {
	Row        ledger.Row
	TaskStatus *string
	URL        *string
	// NotSent says why nothing was sent: spend_cap or halted.
	NotSent *string
	Content *string
	// Text is what was visible of a text answer, where the request asked to keep it; it never enters the row.
	Text string
	// Attempt is the last one's number, which the row carries too; Retries is how many attempts it was not the first.
	Attempt, Retries int
}

var paidKinds = map[string]bool{
	"chat": true, "responses": true, "messages": true, "image": true, "image_edit": true,
	"image_job": true, "image_edit_job": true, "video": true, "completion": true, "embedding": true,
}

// Paid reports whether calls of a kind may be charged.
func Paid(kind string) bool { return paidKinds[kind] }

func isText(kind string) bool {
	switch kind {
	case wire.KindChat, wire.KindResponses, wire.KindMessages, wire.KindCompletion, wire.KindEmbedding:
		return true
	}
	return false
}

// hasPrompt: a cache may hold how it begins.
func hasPrompt(kind string) bool { return isText(kind) && kind != wire.KindEmbedding }

func isImage(kind string) bool {
	return kind == "image" || kind == "image_edit" || kind == "result"
}
