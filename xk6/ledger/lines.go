// Package ledger writes the lines of src/contracts/ledger-lines.ts: field names and their order are that contract.
// A nil pointer is written as null, which means not known and never 0.
package ledger

import "encoding/json"

// The schemas of the kinds of line; texts stand in a file of their own.
const (
	HeaderSchema = "weighbridge.ledger/1"
	IntentSchema = "weighbridge.intent/1"
	StateSchema  = "weighbridge.state/1"
	CallSchema   = "weighbridge.call/1"
	TextSchema   = "weighbridge.text/1"
)

// Header is the first line of a file.
type Header struct {
	Schema   string   `json:"schema"`
	RunID    string   `json:"run_id"`
	Instance string   `json:"instance"`
	File     int      `json:"file"`
	Segment  *string  `json:"segment"`
	Seed     *int64   `json:"seed"`
	Clock    Clock    `json:"clock"`
	PlanHash *string  `json:"plan_hash"`
	KeyFP    *string  `json:"key_fp"`
	Cores    *int     `json:"cores"`
	Versions Versions `json:"versions"`
}

// Clock is the wall clock with the monotonic reading of the same moment.
type Clock struct {
	Wall   string  `json:"wall"`
	MonoMS float64 `json:"mono_ms"`
}

// Versions of what wrote the file.
type Versions struct {
	Weighbridge string `json:"weighbridge"`
	K6          string `json:"k6"`
	Go          string `json:"go"`
}

// Units of an image or video call.
type Units struct {
	Images     *int64   `json:"images"`
	Size       *string  `json:"size"`
	Quality    *string  `json:"quality"`
	Seconds    *float64 `json:"seconds"`
	Resolution *string  `json:"resolution"`
}

// Intent is handed to the operating system before a paid call is sent.
type Intent struct {
	Schema       string  `json:"schema"`
	RunID        string  `json:"run_id"`
	Instance     string  `json:"instance"`
	CallID       string  `json:"call_id"`
	LogicalID    string  `json:"logical_id"`
	Attempt      int     `json:"attempt"`
	Kind         string  `json:"kind"`
	Model        string  `json:"model"`
	KeyFP        *string `json:"key_fp"`
	At           string  `json:"at"`
	WorstCaseUSD *string `json:"worst_case_usd"`
	PromptBytes  int64   `json:"prompt_bytes"`
	MaxTokens    *int64  `json:"max_tokens"`
	Units        *Units  `json:"units"`
	Watermark    *int64  `json:"watermark"`
}

// ScenarioState counts one scenario. Once it has ended, Planned = Started + Dropped + Held.
type ScenarioState struct {
	Scenario string `json:"scenario"`
	// Planned starts that are due so far; when the scenario has ended, all of them.
	Planned int64 `json:"planned"`
	Started int64 `json:"started"`
	// Dropped starts found no free slot.
	Dropped int64 `json:"dropped"`
	// Held starts were not made because the run was halted before their time.
	Held int64 `json:"held"`
	// InFlight counts paid calls under way.
	InFlight int64 `json:"in_flight"`
	// Finished counts paid calls that were sent and are over, retries each for itself.
	Finished int64 `json:"finished"`
	OK       int64 `json:"ok"`
	// NotSent counts paid calls that were refused before they were sent.
	NotSent int64 `json:"not_sent"`
	// Aborted counts paid calls that were cut on purpose: finished, neither ok nor failed.
	Aborted int64 `json:"aborted"`
	// Retried counts attempts that another one follows, as soon as it waits for its time: finished, the call is not.
	Retried int64 `json:"retried"`
	// Measured is the part of the starts that was planned in the measured phase.
	Measured PhaseCounts `json:"measured"`
}

// PhaseCounts counts the starts of one phase.
type PhaseCounts struct {
	Planned int64 `json:"planned"`
	Started int64 `json:"started"`
	Dropped int64 `json:"dropped"`
	Held    int64 `json:"held"`
}

// State is written each second and last in a file.
type State struct {
	Schema         string          `json:"schema"`
	RunID          string          `json:"run_id"`
	Instance       string          `json:"instance"`
	At             string          `json:"at"`
	ElapsedMS      float64         `json:"elapsed_ms"`
	Scenarios      []ScenarioState `json:"scenarios"`
	SchedLagMS     float64         `json:"sched_lag_ms"`
	CPU            float64         `json:"cpu"`
	GCMS           float64         `json:"gc_ms"`
	OpenFiles      *int            `json:"open_files"`
	OpenFilesLimit *int64          `json:"open_files_limit"`
	// TimerLagMS is the largest lateness of a timer that rings every 20 ms.
	TimerLagMS float64 `json:"timer_lag_ms"`
	// RunQueueP99MS is how long goroutines waited for a processor; nil where the runtime does not tell.
	RunQueueP99MS *float64 `json:"run_queue_p99_ms"`
	RSSBytes      *int64   `json:"rss_bytes"`
	RowsLost      int64    `json:"rows_lost"`
	ReservedUSD   *string  `json:"reserved_usd"`
	// BeganAt is the zero of the schedules; nil before, and where no executor of ours makes the starts.
	BeganAt  *string `json:"began_at"`
	Halted   *string `json:"halted"`
	HaltedAt *string `json:"halted_at"`
	Final    bool    `json:"final"`
}

// Usage as the format gave it; input with cache reads and writes inside.
type Usage struct {
	Input      *int64          `json:"input"`
	Output     *int64          `json:"output"`
	CacheRead  *int64          `json:"cache_read"`
	CacheWrite *int64          `json:"cache_write"`
	Reasoning  *int64          `json:"reasoning"`
	Raw        json.RawMessage `json:"raw"`
}

// Job is the life of an image job or video task.
type Job struct {
	ID *string `json:"id"`
	// Statuses in the order seen, repeats folded.
	Statuses []string `json:"statuses"`
	QueueMS  *float64 `json:"queue_ms"`
	RunMS    *float64 `json:"run_ms"`
	Polls    int      `json:"polls"`
}

// Row is one call, written on every exit path.
type Row struct {
	Schema        string       `json:"schema"`
	RunID         string       `json:"run_id"`
	Instance      string       `json:"instance"`
	CallID        string       `json:"call_id"`
	LogicalID     string       `json:"logical_id"`
	Attempt       int          `json:"attempt"`
	Scenario      string       `json:"scenario"`
	Phase         string       `json:"phase"`
	Iteration     *int64       `json:"iteration"`
	Turn          *int         `json:"turn"`
	Kind          string       `json:"kind"`
	Method        string       `json:"method"`
	Path          string       `json:"path"`
	Stream        bool         `json:"stream"`
	Model         *string      `json:"model"`
	KeyFP         *string      `json:"key_fp"`
	PlannedAt     *string      `json:"planned_at"`
	StartedAt     string       `json:"started_at"`
	WroteMS       *float64     `json:"wrote_ms"`
	HeadersMS     *float64     `json:"headers_ms"`
	FirstEventMS  *float64     `json:"first_event_ms"`
	TTFTMS        *float64     `json:"ttft_ms"`
	TTFOMS        *float64     `json:"ttfo_ms"`
	EndMS         float64      `json:"end_ms"`
	ScheduleLagMS *float64     `json:"schedule_lag_ms"`
	ITL           [][2]float64 `json:"itl"`
	MaxGapMS      *float64     `json:"max_gap_ms"`
	Events        *int         `json:"events"`
	Chunks        *int         `json:"chunks"`
	OutChars      *int         `json:"out_chars"`
	TextSHA256    *string      `json:"text_sha256"`
	TextRef       *string      `json:"text_ref"`
	Status        *int         `json:"status"`
	Outcome       string       `json:"outcome"`
	ErrorType     string       `json:"error_type"`
	Blame         string       `json:"blame"`
	ErrorCode     *string      `json:"error_code"`
	APIErrorType  *string      `json:"api_error_type"`
	ErrorMessage  *string      `json:"error_message"`
	RequestID     *string      `json:"request_id"`
	RequestIDs    []string     `json:"request_ids"`
	ResponseID    *string      `json:"response_id"`
	ResponseModel *string      `json:"response_model"`
	ServiceTier   *string      `json:"service_tier"`
	RetryAfterS   *float64     `json:"retry_after_s"`
	Finish        *string      `json:"finish"`
	TerminalSeen  *bool        `json:"terminal_seen"`
	Usage         *Usage       `json:"usage"`
	Units         *Units       `json:"units"`
	// Tools counts, by name, the calls of tools that the target ran; nil where the answer does not tell.
	Tools        map[string]int `json:"tools"`
	MaxTokens    *int64         `json:"max_tokens"`
	PromptBytes  *int64         `json:"prompt_bytes"`
	Watermark    *int64         `json:"watermark"`
	Job          *Job           `json:"job"`
	WorstCaseUSD *string        `json:"worst_case_usd"`
	BytesIn      *int64         `json:"bytes_in"`
	BytesOut     *int64         `json:"bytes_out"`
	ConnReused   *bool          `json:"conn_reused"`
	Proto        *string        `json:"proto"`
}

// Text is what an answer said. Beside is never nil.
type Text struct {
	Schema string   `json:"schema"`
	CallID string   `json:"call_id"`
	Beside []string `json:"beside"`
	Text   string   `json:"text"`
}
