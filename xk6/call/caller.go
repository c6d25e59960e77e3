package call

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"time"

	"weighbridge.dev/xk6/clock"
	"weighbridge.dev/xk6/halt"
	"weighbridge.dev/xk6/ledger"
	"weighbridge.dev/xk6/load"
	"weighbridge.dev/xk6/outcome"
	"weighbridge.dev/xk6/spend"
	"weighbridge.dev/xk6/turnstile"
	"weighbridge.dev/xk6/wire"
)

// Reasons of Result.NotSent.
const (
	notSentCap    = "spend_cap"
	notSentHalted = "halted"
)

// Caller makes calls for one virtual user's iteration.
type Caller struct {
	Run       *load.Run
	Root      *url.URL
	V1        *url.URL // stands for /v1 under the root; may be nil
	Heads     *Heads   // shared by all calls to the root; may be nil
	Timeouts  Timeouts
	Transport http.RoundTripper
	// Wait blocks until a request may be sent; nil for no limit.
	Wait      func(context.Context) error
	Scenario  string
	Iteration *int64
	VU        uint64
	// Trace lets the host follow each exchange; done is called at its end, whatever that was. May be nil.
	Trace func(method string) (trace *httptrace.ClientTrace, done Done)
	// Alone makes calls that no ledger holds: those of a script without a plan, which has no cap to keep either.
	Alone bool
	// Observe sees each row after it was written, and must not change it. May be nil.
	Observe func(*ledger.Row)
}

// Done hears how an exchange ended: response is nil where no answer came, err is what cut the connection or the body.
type Done func(response *http.Response, o outcome.Outcome, err error)

// Call makes one call and writes its row; the plan's retry policy may make it again. The error is misuse, never what
// the target did.
func (c *Caller) Call(ctx context.Context, req *Request) (*Result, error) {
	return c.attempts(ctx, req, func(req *Request) (*Result, error) {
		return c.account(ctx, req, func(t *ticket) {
			x := c.exchange(ctx, req, c.Timeouts, c.readerOf(req, t.ledger.KeepsTexts()))
			t.apply(x)
			if x.unmarked {
				t.counts.Unmarked.Store(true)
			}
			if x.outcome == outcome.Ok && x.url != "" && Paid(req.Kind) {
				t.download(ctx, x.url)
			}
		})
	})
}

// readerOf is told whether the ledger keeps texts; a request may ask for its own.
func (c *Caller) readerOf(req *Request, keepText bool) reader {
	keepText = keepText || req.KeepText
	switch {
	case req.Stream:
		return readStream(req, c.Timeouts, keepText)
	case req.Kind == "download", req.Expect == ExpectMP4, req.Expect == ExpectBytes:
		return readBytes(req.Expect, c.Timeouts)
	default:
		return readJSON(req, c.Timeouts, keepText)
	}
}

// account runs a call between its intent and its row: the row is written on every way out, a panic included.
func (c *Caller) account(ctx context.Context, req *Request, run func(*ticket)) (result *Result, err error) {
	t, err := c.open(req)
	if err != nil {
		return nil, err
	}
	defer func() {
		if fault := recover(); fault != nil {
			t.row.ErrorMessage = t.prose(fmt.Sprintf("panic in the client: %v", fault))
			err = fmt.Errorf("panic in the client: %v", fault)
		}
		t.close()
		result = t.result
	}()
	if !t.admit(ctx) {
		return
	}
	run(t)
	turnstile.Pass() // the times are taken: others still read
	return
}

// ticket is the accounting of one call.
type ticket struct {
	caller      *Caller
	req         *Request
	ledger      *ledger.Writer
	counts      *load.ScenarioCounts
	reservation *spend.Reservation
	started     clock.Moment
	planned     *clock.Moment
	result      *Result
	row         *ledger.Row // of the result
	peak        wire.Peak
	said        ledger.Text // of an answer, where it is kept
}

func (c *Caller) newTicket(req *Request, writer *ledger.Writer, counts *load.ScenarioCounts) *ticket {
	t := &ticket{caller: c, req: req, ledger: writer, counts: counts, started: clock.Now(), result: &Result{}}
	t.row = &t.result.Row
	return t
}

func (c *Caller) open(req *Request) (*ticket, error) {
	var writer *ledger.Writer
	if !c.Alone {
		var err error
		if writer, err = c.Run.Ledger(); err != nil {
			return nil, err
		}
	}
	if req.Auth != NoAuth && !c.Run.MayCall() {
		return nil, errors.New("no API key: set WEIGHBRIDGE_API_KEY or WEIGHBRIDGE_API_KEY_FILE")
	}
	if Paid(req.Kind) && req.Model == nil {
		return nil, fmt.Errorf("a call of kind %s needs a model", req.Kind)
	}
	t := c.newTicket(req, writer, c.Run.Counts.Of(c.Scenario))
	if Paid(req.Kind) {
		if c.Iteration != nil {
			if planned, timed := c.Run.Planned.Take(c.VU, *c.Iteration); timed {
				t.planned = &planned
			}
		}
		t.counts.InFlight.Add(1)
	}
	t.fillBlank()
	return t, nil
}

// admit decides whether the call may be sent, and writes the intent of a paid one.
func (t *ticket) admit(ctx context.Context) bool {
	c, paid := t.caller, Paid(t.req.Kind)
	limited, err := c.await(ctx)
	if err != nil || ctx.Err() != nil {
		return t.refuse(notSentHalted, "the run ended before the call was sent")
	}
	if paid {
		if reason, halted := c.Run.Halt.Reason(); halted {
			return t.refuse(notSentHalted, "the run was halted: "+string(reason))
		}
		if !t.reserve() {
			return false
		}
		if err := t.ledger.Intent(t.intent()); err != nil {
			c.Run.Halt.Set(halt.LedgerFailed)
			return t.refuse(notSentHalted, err.Error())
		}
	}
	t.started = clock.Now()
	if t.planned != nil {
		c.Run.Counts.Late(t.started.Since(*t.planned) - limited)
	}
	t.row.Outcome, t.row.ErrorType = string(outcome.Interrupted), string(outcome.ErrorNone)
	return true
}

// await is how long the limit of requests per second held the call back: that is asked for, and no lateness of the
// client, though the row's schedule lag and the latency from the plan have it in them.
func (c *Caller) await(ctx context.Context) (time.Duration, error) {
	if c.Wait == nil {
		return 0, nil
	}
	from := clock.Now()
	err := c.Wait(ctx)
	return clock.Now().Since(from), err
}

func (t *ticket) reserve() bool {
	c := t.caller
	prompt := int64(len(t.req.Body)) // where the script does not say, the whole body
	if t.req.PromptBytes != nil {
		prompt = *t.req.PromptBytes
	}
	reservation, err := c.Run.Cap.Reserve(spend.Call{
		Key: spend.Key{Model: *t.req.Model, Kind: t.req.Kind}, Scenario: c.Scenario,
		PromptBytes: prompt, MaxTokens: t.req.MaxTokens,
	})
	if err != nil {
		t.capped(err)
		return t.refuse(notSentCap, err.Error())
	}
	t.reservation = reservation
	if worst := reservation.Worst(); worst != nil {
		text := spend.FormatUSD(worst)
		t.row.WorstCaseUSD = &text
	}
	return true
}

// refuse ends a call that is not sent.
func (t *ticket) refuse(why, message string) bool {
	t.row.Outcome, t.row.ErrorType = string(outcome.NotSent), string(outcome.ErrorNone)
	t.row.ErrorMessage = kept(message, maxMessage)
	t.result.NotSent = &why
	return false
}

// close settles the reservation, writes the row and tells the counts.
func (t *ticket) close() {
	c := t.caller
	t.finishRow()
	o := outcome.Outcome(t.row.Outcome)
	t.settle()
	t.holdBack()
	t.keepText(o)
	if err := t.ledger.Row(*t.row); err != nil {
		c.Run.Halt.Set(halt.LedgerFailed)
	}
	if Paid(t.req.Kind) {
		t.counts.InFlight.Add(-1)
		t.count(o)
	}
	if c.Observe != nil {
		c.Observe(t.row)
	}
}

// keepText hands the text of a whole answer to the ledger.
func (t *ticket) keepText(o outcome.Outcome) {
	if o == outcome.Ok && t.said.Text != "" {
		t.row.TextRef = t.ledger.Text(t.said)
	}
}

// count notes the end of a paid call; what was not sent has not finished.
func (t *ticket) count(o outcome.Outcome) {
	if o == outcome.NotSent {
		t.counts.NotSent.Add(1)
		return
	}
	t.counts.Finished.Add(1)
	switch o {
	case outcome.Ok:
		t.counts.OK.Add(1)
	case outcome.Aborted:
		t.counts.Aborted.Add(1)
	}
}

// holdBack pauses the model for this key where the target refused a call and said for how long to leave it alone (interface §7).
func (t *ticket) holdBack() {
	if t.row.Outcome != string(outcome.HttpError) || t.row.RetryAfterS == nil || t.req.Model == nil {
		return
	}
	t.caller.Run.Pauses.Pause(t.caller.limited(t.req), clock.Now().Add(pauseOf(*t.row.RetryAfterS)))
}

// limited names what a refusal limits.
func (c *Caller) limited(req *Request) load.Limited {
	return load.Limited{Model: *req.Model, KeyFP: c.key().Fingerprint()}
}
