package call

import (
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"weighbridge.dev/xk6/clock"
	"weighbridge.dev/xk6/ledger"
	"weighbridge.dev/xk6/outcome"
	"weighbridge.dev/xk6/plan"
	"weighbridge.dev/xk6/prefix"
	"weighbridge.dev/xk6/secret"
	"weighbridge.dev/xk6/wire"
)

const (
	// maxMessage is the most characters of a foreign text that a row keeps.
	maxMessage = 300
	// readText is how much of one is searched for the key first, in bytes.
	readText = 64 << 10
)

// fillBlank fills in what is known before the call.
func (t *ticket) fillBlank() {
	c, req := t.caller, t.req
	*t.row = ledger.Row{
		Schema: ledger.RowSchema, RunID: c.Run.RunID(), Instance: c.Run.Instance, CallID: req.CallID,
		LogicalID: req.LogicalID, Attempt: req.Attempt, Scenario: c.Scenario, Phase: c.phase(),
		Iteration: c.Iteration, Kind: req.Kind, Method: req.Method, Path: c.pathOf(req), Stream: req.Stream,
		Model: req.Model, KeyFP: c.fingerprint(req), RequestIDs: []string{}, Units: req.Units,
		MaxTokens: req.MaxTokens, PromptBytes: req.PromptBytes, Turn: req.Turn, Watermark: req.Watermark,
	}
}

func (c *Caller) fingerprint(req *Request) *string {
	if req.Auth == NoAuth {
		return nil
	}
	return c.key().Fingerprint()
}

// key is the turn of this start. A task is read with the key that made it, and a retry keeps its own.
func (c *Caller) key() secret.Key { return c.Run.Keys.Of(c.Iteration) }

// pathOf is without the key where the target made it: an id of a task stands in it, or it is a link.
func (c *Caller) pathOf(req *Request) string {
	path := withoutQuery(req.Path)
	if Paid(req.Kind) {
		return path
	}
	return c.Run.Key.Name(path)
}

// withoutQuery keeps no query of an absolute URL: a signed link is a credential.
func withoutQuery(path string) string {
	if strings.HasPrefix(path, "/") { // no scheme
		return path
	}
	ref, err := url.Parse(path)
	if err != nil || !ref.IsAbs() {
		return path
	}
	return ref.Scheme + "://" + ref.Host + ref.EscapedPath()
}

func (t *ticket) intent() ledger.Intent {
	c, req := t.caller, t.req
	intent := ledger.Intent{
		Schema: ledger.IntentSchema, RunID: c.Run.RunID(), Instance: c.Run.Instance, CallID: req.CallID,
		LogicalID: req.LogicalID, Attempt: req.Attempt, Kind: req.Kind, Model: *req.Model,
		KeyFP: c.fingerprint(req), At: clock.Now().Wall(), WorstCaseUSD: t.row.WorstCaseUSD,
		PromptBytes: int64(len(req.Body)), MaxTokens: req.MaxTokens, Units: req.Units, Watermark: req.Watermark,
	}
	if req.PromptBytes != nil {
		intent.PromptBytes = *req.PromptBytes
	}
	return intent
}

// apply takes over what an exchange saw.
func (t *ticket) apply(x *exchange) {
	r := t.row
	t.started = x.started
	r.WroteMS, r.ConnReused = milliseconds(x.started, clock.Moment(x.wrote.Load())), x.reused()
	r.HeadersMS = milliseconds(x.started, x.headers)
	r.FirstEventMS = milliseconds(x.started, x.firstEvent)
	r.TTFTMS, r.TTFOMS = milliseconds(x.started, x.ttft), milliseconds(x.started, x.ttfo)
	r.EndMS = clock.Milliseconds(x.end.Since(x.started))
	if t.req.Stream && x.answered() {
		r.Events, r.Chunks = &x.events, &x.chunks
		r.ITL = x.gaps.sparse()
		x.gaps.free()
		if r.ITL != nil {
			gap := clock.Milliseconds(x.maxGap)
			r.MaxGapMS = &gap
		}
	}
	r.BytesOut = &x.bytesOut
	if x.answered() {
		r.Status, r.Proto, r.BytesIn = &x.status, &x.proto, &x.bytesIn
		r.RetryAfterS = retryAfter(x.header)
		r.RequestIDs = x.requestIDs(t)
		if len(r.RequestIDs) > 0 {
			r.RequestID = &r.RequestIDs[0]
		}
	}
	t.judge(x.outcome, x.errorType)
	r.ErrorMessage, r.ErrorCode, r.APIErrorType = t.prose(x.message), t.name(x.code), t.name(x.apiType)
	said := t.caller.Run.Key.Name(x.text) // counted by the word: of a short key none is hidden
	if t.req.KeepText {
		t.result.Text = said
	}
	t.said = ledger.Text{Schema: ledger.TextSchema, CallID: r.CallID, Beside: []string{}, Text: said}
	if x.result != nil {
		t.applyResult(x.result)
	}
	if x.images != nil {
		t.use(x.images.Usage)
	}
	if x.answered() && Paid(t.req.Kind) { // free calls have no record
		r.OtherIDs = x.otherIDs(t)
	}
	if x.digest != "" {
		r.TextSHA256 = &x.digest
	}
	t.result.URL, t.result.Content = optional(t.caller.Run.Key.Name(x.url)), optional(x.content) // never cut a link
}

func (t *ticket) applyResult(result *wire.Result) {
	r := t.row
	r.Finish, r.ResponseID, r.ResponseModel = t.name(result.Finish), t.id(result.ResponseID), t.name(result.Model)
	r.ServiceTier = t.name(result.ServiceTier)
	r.Tools = t.tools(result.Tools)
	r.OutChars, r.TextSHA256 = &result.OutChars, optional(result.TextSHA256)
	t.said.Beside = append(t.said.Beside, result.Beside...)
	t.use(result.Usage)
	if t.req.Stream {
		r.TerminalSeen = &result.TerminalSeen
	}
}

// maxTools is how many names of tools are kept: they are the target's text.
const maxTools = 20

func (t *ticket) tools(seen map[string]int) map[string]int {
	if seen == nil {
		return nil
	}
	kept := make(map[string]int, min(len(seen), maxTools))
	for _, name := range slices.Sorted(maps.Keys(seen)) {
		if len(kept) == maxTools {
			break
		}
		kept[t.caller.Run.Key.Name(name)] += seen[name]
	}
	return kept
}

func (t *ticket) judge(o outcome.Outcome, e outcome.ErrorType) {
	t.row.Outcome, t.row.ErrorType = string(o), string(e)
}

// finishRow sets what follows from the rest.
func (t *ticket) finishRow() {
	r := t.row
	r.StartedAt = t.started.Wall()
	r.Blame = string(outcome.BlameOf[outcome.ErrorType(r.ErrorType)])
	if t.planned != nil {
		at, lag := t.planned.Wall(), clock.Milliseconds(t.started.Since(*t.planned))
		r.PlannedAt, r.ScheduleLagMS = &at, &lag
	}
	if hasPrompt(t.req.Kind) && t.req.Auth != NoAuth && r.Outcome != string(outcome.NotSent) {
		r.Prefixes = prefix.Of(t.caller.key().Reveal(), t.req.Body)
	}
	if r.EndMS == 0 && r.Outcome != string(outcome.NotSent) {
		r.EndMS = clock.Milliseconds(clock.Now().Since(t.started))
	}
}

// requestIDs are all distinct ids of an answer: headers first, then those in the error text.
func (x *exchange) requestIDs(t *ticket) []string {
	ids := []string{}
	add := func(id string) {
		if text := t.id(id); text != nil && !slices.Contains(ids, *text) && len(ids) < wire.MaxRequestIDs {
			ids = append(ids, *text)
		}
	}
	for _, name := range wire.RequestIDHeaders {
		if values := x.header[name]; len(values) > 0 {
			add(values[0])
		}
	}
	for _, id := range x.errorRequestIDs {
		add(id)
	}
	return ids
}

// otherIDs are what may be an id of an answer, beside those that the row has.
func (x *exchange) otherIDs(t *ticket) map[string]string {
	opening := x.body
	if len(opening) == 0 {
		opening = x.firstData
	}
	known := t.row.RequestIDs
	if t.row.ResponseID != nil {
		known = append(slices.Clone(known), *t.row.ResponseID)
	}
	return wire.OtherIDs(x.header, opening, known, t.caller.Run.Key.Name)
}

// prose is a sentence of the target without the key, cut; nil for an empty one.
func (t *ticket) prose(text string) *string {
	return kept(t.caller.Run.Key.Prose(text[:min(len(text), readText)]), maxMessage)
}

// name is a code or a name of the target without the key, cut; nil for an empty one.
func (t *ticket) name(text string) *string {
	return kept(t.caller.Run.Key.Name(text[:min(len(text), readText)]), maxMessage)
}

// id is an id of the target without the key, cut; nil for an empty one.
func (t *ticket) id(text string) *string {
	return kept(t.caller.Run.Key.Name(text[:min(len(text), readText)]), wire.MaxID)
}

func kept(clean string, most int) *string {
	if clean == "" {
		return nil
	}
	if len(clean) > most || !utf8.ValidString(clean) {
		runes := []rune(clean)
		clean = string(runes[:min(len(runes), most)])
	}
	return &clean
}

func optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// use takes over what the answer says was used.
func (t *ticket) use(usage *wire.Usage) {
	if usage == nil {
		return
	}
	raw := json.RawMessage(t.caller.Run.Key.Name(string(usage.Raw)))
	if !json.Valid(raw) {
		raw = nil
	}
	t.peak = usage.Peak
	t.row.Usage = &ledger.Usage{
		Input: usage.Input, Output: usage.Output, CacheRead: usage.CacheRead, CacheWrite: usage.CacheWrite,
		Reasoning: usage.Reasoning, Raw: raw,
	}
}

// phase is that of the start which the call belongs to.
func (c *Caller) phase() string {
	if c.Iteration == nil {
		return plan.Measured
	}
	return c.Run.Planned.Phase(c.VU, *c.Iteration)
}
