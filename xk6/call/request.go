// Package call makes one call to the target and accounts for it: cap, intent, transport, clock, outcome, row.
// It knows nothing of k6.
package call

import (
	"net/http"
	"time"

	"weighbridge.dev/xk6/ledger"
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

// Result is what a script learns of a call.
type Result struct {
	Row        ledger.Row
	TaskStatus *string
	URL        *string
	// NotSent says why nothing was sent: spend_cap or halted.
	NotSent *string
	Content *string
}

var paidKinds = map[string]bool{
	"chat": true, "responses": true, "messages": true, "image": true, "image_edit": true,
	"image_job": true, "image_edit_job": true, "video": true,
}

// Paid reports whether calls of a kind may be charged.
func Paid(kind string) bool { return paidKinds[kind] }

func isText(kind string) bool { return kind == "chat" || kind == "responses" || kind == "messages" }

func isImage(kind string) bool {
	return kind == "image" || kind == "image_edit" || kind == "result"
}
