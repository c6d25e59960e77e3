package plan

import (
	"encoding/json"
	"fmt"
)

// Workload is the part of a plan that its hash covers (src/core/plan.ts).
type Workload struct {
	Seed       int64      `json:"seed"`
	DurationMS int64      `json:"duration_ms"`
	DrainMS    int64      `json:"drain_ms"`
	WarmUpMS   int64      `json:"warm_up_ms"`
	CoolDownMS int64      `json:"cool_down_ms"`
	Timeouts   Timeouts   `json:"timeouts"`
	Retry      Retry      `json:"retry"`
	HTTP       HTTP       `json:"http"`
	CallsPerVU int        `json:"calls_per_vu"`
	Scenarios  []Scenario `json:"scenarios"`
	// Objectives are judged from the ledger; here they only mark calls for k6's thresholds.
	Objectives []Objective `json:"objectives"`
}

// Timeouts is CallTimeouts, in milliseconds.
type Timeouts struct {
	Connect    float64 `json:"connect_ms"`
	Headers    float64 `json:"headers_ms"`
	FirstToken float64 `json:"first_token_ms"`
	Idle       float64 `json:"idle_ms"`
	Total      float64 `json:"total_ms"`
	Task       float64 `json:"task_ms"`
}

// Objective is the part of Objective that bounds single calls.
type Objective struct {
	Scenario string   `json:"scenario"`
	Measure  string   `json:"measure"`
	Max      *float64 `json:"max"`
}

// Retry is RetryPolicy.
type Retry struct {
	MaxAttempts int     `json:"max_attempts"`
	FirstWaitMS float64 `json:"first_wait_ms"`
	Factor      float64 `json:"factor"`
	MaxWaitMS   float64 `json:"max_wait_ms"`
	Jitter      float64 `json:"jitter"`
}

// HTTP is the part of HttpOptions that k6's own options do not cover.
type HTTP struct {
	Debug string `json:"debug"` // off, headers or full
	HTTP2 bool   `json:"http2"`
	Reuse string `json:"reuse"` // vu, iteration or none
}

// ForbidsHTTP2 reports whether HTTP/1.1 is to be spoken also where a target offers HTTP/2. A plan without the part
// forbids nothing.
func (h HTTP) ForbidsHTTP2() bool { return h.Reuse != "" && !h.HTTP2 }

// Scenario is ScenarioPlan.
type Scenario struct {
	Name        string  `json:"name"`
	Kind        string  `json:"kind"`
	Model       string  `json:"model"`
	MaxInFlight int64   `json:"max_in_flight"`
	Arrival     Arrival `json:"arrival"`
	Text        *Text   `json:"text"`
	Image       *Image  `json:"image"`
	Video       *Video  `json:"video"`
	Abort       *Abort  `json:"abort"`
}

// Arrival is Arrival.
type Arrival struct {
	Stages      []ArrivalStage `json:"stages"`
	MaxCalls    *int64         `json:"max_calls"`
	Process     string         `json:"process"` // even, poisson or gamma
	Burstiness  float64        `json:"burstiness"`
	Concurrency *int64         `json:"concurrency"`
	Trace       *TraceRef      `json:"trace"`
}

// ArrivalStage is a piece of the rate.
type ArrivalStage struct {
	DurationMS    int64 `json:"duration_ms"`
	FromMillirate int64 `json:"from_millirate"`
	ToMillirate   int64 `json:"to_millirate"`
}

// TraceRef names the trace file beside the plan.
type TraceRef struct {
	File   string `json:"file"`
	SHA256 string `json:"sha256"`
	Calls  int64  `json:"calls"`
}

// Text is TextShape.
type Text struct {
	StreamShare float64     `json:"stream_share"`
	PromptBytes SizeTable   `json:"prompt_bytes"`
	MaxTokens   SizeTable   `json:"max_tokens"`
	CachedShare float64     `json:"cached_share"`
	Prompts     *PromptFile `json:"prompts"`
	Session     *Session    `json:"session"`
	Watermark   *Watermark  `json:"watermark"`
}

// PromptFile is PromptFile.
type PromptFile struct {
	Path     string `json:"path"`
	SHA256   string `json:"sha256"`
	Count    int64  `json:"count"`
	MaxBytes int64  `json:"max_bytes"`
	Order    string `json:"order"` // in_turn or random
}

// Session is SessionShape.
type Session struct {
	Turns   SizeTable `json:"turns"`
	ThinkMS SizeTable `json:"think_ms"`
}

// Watermark is WatermarkShape.
type Watermark struct {
	Modulus int64 `json:"modulus"`
	Of      int64 `json:"of"`
	First   int64 `json:"first"`
}

// Image is ImageShape.
type Image struct {
	Size           string  `json:"size"`
	Quality        string  `json:"quality"`
	ResponseFormat string  `json:"response_format"`
	MultipartShare float64 `json:"multipart_share"`
}

// Video is VideoShape.
type Video struct {
	Seconds float64 `json:"seconds"`
	Size    string  `json:"size"`
}

// Abort is AbortShape.
type Abort struct {
	Share       float64  `json:"share"`
	AfterMS     *float64 `json:"after_ms"`
	AfterEvents *int64   `json:"after_events"`
}

// SizeTable holds equally likely sizes, ascending; one entry for a fixed size.
type SizeTable []int64

// maxSizes is the most entries of a table.
const maxSizes = 1024

// UnmarshalJSON reads a number or a list.
func (t *SizeTable) UnmarshalJSON(text []byte) error {
	var one int64
	if json.Unmarshal(text, &one) == nil {
		*t = SizeTable{one}
		return nil
	}
	var many []int64
	if err := json.Unmarshal(text, &many); err != nil {
		return fmt.Errorf("expected a whole number or a list of them: %w", err)
	}
	if len(many) < 1 || len(many) > maxSizes {
		return fmt.Errorf("expected 1 to %d sizes, found %d", maxSizes, len(many))
	}
	*t = many
	return nil
}

// Limits is RunLimits.
type Limits struct {
	MaxInFlight        *int64           `json:"max_in_flight"`
	MaxInFlightByModel map[string]int64 `json:"max_in_flight_by_model"`
	Stop               *StopRules       `json:"stop"`
}

// StopRules is StopRules.
type StopRules struct {
	OverMS   int64    `json:"over_ms"`
	MinCalls int64    `json:"min_calls"`
	Share429 *float64 `json:"share_429"`
	Share5xx *float64 `json:"share_5xx"`
}

// ScenarioNamed finds a scenario.
func (w *Workload) ScenarioNamed(name string) (*Scenario, bool) {
	for i := range w.Scenarios {
		if w.Scenarios[i].Name == name {
			return &w.Scenarios[i], true
		}
	}
	return nil, false
}
