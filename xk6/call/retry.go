package call

import (
	"bytes"
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"weighbridge.dev/xk6/clock"
	"weighbridge.dev/xk6/ledger"
	"weighbridge.dev/xk6/outcome"
	"weighbridge.dev/xk6/plan"
)

// attempts makes a paid call, and makes it again where the plan's policy and the rules let it. Each attempt is a call
// of its own with its own id, intent, reservation and row; they share the logical id. The Result is the last one's.
func (c *Caller) attempts(
	ctx context.Context, req *Request, attempt func(*Request) (*Result, error),
) (*Result, error) {
	r := retrier{caller: c, policy: c.retryPolicy(req)}
	for {
		result, err := attempt(req)
		if err != nil {
			return result, err
		}
		result.Attempt, result.Retries = req.Attempt, r.retries
		if adapted := r.adapted(req, &result.Row); adapted != nil {
			req = adapted
		} else if !r.again(ctx, req, &result.Row) {
			return result, nil
		}
		if req, err = req.next(); err != nil {
			return result, err
		}
		r.retries++
	}
}

func (c *Caller) retryPolicy(req *Request) plan.Retry {
	if c.Run.Plan == nil || !Paid(req.Kind) {
		return plan.Retry{}
	}
	return c.Run.Plan.Workload.Retry
}

// retrier decides on one logical call.
type retrier struct {
	caller  *Caller
	policy  plan.Retry
	retries int
	adapts  int  // how often the body was written anew
	once    bool // the one retry of a call that may be made twice only is used up
}

// again waits as the rule of the answer asks to, and reports whether the call may be made once more. The wait ends
// with the run, and nothing is sent then.
func (r *retrier) again(ctx context.Context, req *Request, row *ledger.Row) bool {
	if r.retries-r.adapts+1 >= r.policy.MaxAttempts {
		return false
	}
	manner := retryRuleOf(row).Manner
	if manner == RetryNever || manner == RetryOnce && r.once {
		return false
	}
	if manner == RetryIfFree && row.RequestID == nil {
		return false
	}
	r.once = r.once || manner == RetryOnce
	wait, ok := r.wait(manner, req, row.RetryAfterS)
	if !ok {
		return false
	}
	retried := &r.caller.Run.Counts.Of(r.caller.Scenario).Retried
	retried.Add(1) // a call that waits for its next attempt has not failed yet
	again := r.caller.pause(ctx, wait) && (manner != RetryIfFree || r.provedFree(ctx, req, *row.RequestID))
	if !again {
		retried.Add(-1)
	}
	return again
}

// mostAdapts is how many things a call can learn.
const mostAdapts = 2

// adapted is the request in the manner that a refusal asks for, which is no failure of the call: it is sent again at once,
// whatever the policy. Nil where the refusal asks for nothing that we know.
func (r *retrier) adapted(req *Request, row *ledger.Row) *Request {
	refused := row.Outcome == string(outcome.HttpError) && row.Status != nil && (*row.Status == 400 || *row.Status == 422)
	if req.Adapt == nil || !refused || row.ErrorMessage == nil || r.adapts >= mostAdapts {
		return nil
	}
	body, learnt := req.Adapt(req, *row.ErrorMessage)
	if body == nil || bytes.Equal(body, req.Body) {
		return nil
	}
	counts := r.caller.Run.Counts.Of(r.caller.Scenario)
	counts.Learnt.Store(&learnt)
	counts.Retried.Add(1)
	r.adapts++
	next := *req
	next.Body = body
	return &next
}

// wait is how long the next attempt is put off; false where a Retry-After, of this call or of another one of its model and key,
// asks for more than the policy's longest wait.
func (r *retrier) wait(manner RetryManner, req *Request, retryAfterS *float64) (time.Duration, bool) {
	growth := 1.0
	if manner == RetryGrowing || manner == RetryIfFree {
		growth = math.Pow(r.policy.Factor, float64(r.retries))
	}
	ms := min(r.policy.FirstWaitMS*growth, r.policy.MaxWaitMS)
	ms += ms * r.policy.Jitter * r.caller.chance(req.CallID)
	asked := clock.Milliseconds(r.caller.Run.Pauses.Until(r.caller.limited(req)).Since(clock.Now()))
	if retryAfterS != nil {
		asked = max(asked, clock.Milliseconds(pauseOf(*retryAfterS)))
	}
	return time.Duration(max(ms, asked) * float64(time.Millisecond)), asked <= r.policy.MaxWaitMS
}

// chance is a number in [0, 1) that the plan's seed and the call id give.
func (c *Caller) chance(callID string) float64 {
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(callID))
	return rand.New(rand.NewPCG(uint64(c.Run.Plan.Seed), hash.Sum64())).Float64()
}

// pause waits; false when the run ended or was halted first.
func (c *Caller) pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	case <-c.Run.Halt.Done():
	}
	_, halted := c.Run.Halt.Reason()
	return !halted && ctx.Err() == nil
}

// next is the request of the attempt after this one: <call id>/<attempt> with the next number, and its own marker.
func (req *Request) next() (*Request, error) {
	again := *req
	again.Attempt++
	again.CallID = strings.TrimSuffix(req.CallID, "/"+strconv.Itoa(req.Attempt)) + "/" + strconv.Itoa(again.Attempt)
	if req.Marker == "" || req.NextMarker == nil {
		return &again, nil
	}
	again.Marker = req.NextMarker(again.CallID)
	if len(again.Marker) != len(req.Marker) {
		return nil, fmt.Errorf("the marker of %s has %d bytes, that of the attempt before it %d",
			again.CallID, len(again.Marker), len(req.Marker))
	}
	again.Body = bytes.ReplaceAll(req.Body, []byte(req.Marker), []byte(again.Marker))
	return &again, nil
}
