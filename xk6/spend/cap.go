// Package spend keeps the sum of all worst cases under the spend cap. Amounts are integers in 10⁻¹² USD.
package spend

import (
	"errors"
	"fmt"
	"math/big"
	"sync"
)

// ErrCap says that a reservation would pass a cap; a CapError tells which.
var ErrCap = errors.New("the worst case of this call would pass the spend cap")

// ErrNoBound says that a cap is set and the plan bounds no price of this model and kind.
var ErrNoBound = errors.New("the plan has no price bound for this model and kind, so the spend cap cannot be kept")

// Scope is the part of a run that a refusal stops.
type Scope string

// The four scopes. A call that the cap of the run has no room for stops its model and kind; when none is left, the run.
const (
	ScopeRun      Scope = "run"
	ScopeScenario Scope = "scenario"
	ScopeModel    Scope = "model"
	ScopeKind     Scope = "kind"
)

// CapError is an ErrCap. It tells which call did not fit, what was left of which cap, and what would have held it.
type CapError struct {
	Scope Scope
	// Name is the scenario or the model whose cap it is; empty for the cap of the run.
	Name  string
	First Key
	// Worst is what the call can cost, Left what the cap still had, Needed the cap that would have held the call.
	Worst, Left, Limit, Needed *big.Int
	// Shared says that Limit is one instance's share of the cap.
	Shared bool
}

// Error tells the call, the cap and what would have held the call.
func (e *CapError) Error() string {
	name, part := "spend cap", "cap"
	if e.Name != "" {
		name += " of " + string(e.Scope) + " " + e.Name
	}
	if e.Shared {
		name, part = "share of the "+name, "share"
	}
	worst, left, limit, needed := FormatUSD(e.Worst), FormatUSD(e.Left), FormatUSD(e.Limit), FormatUSD(e.Needed)
	return fmt.Sprintf("one %s call to %s can cost up to $%s, but only $%s of the $%s %s was left. A %s of $%s would have allowed it",
		e.First.Kind, e.First.Model, worst, left, limit, name, part, needed)
}

// Is makes it an ErrCap.
func (e *CapError) Is(target error) bool { return target == ErrCap }

// Caps are the most that a run, its scenarios by name and its models may reserve; nil or absent means no cap.
type Caps struct {
	Run                 *big.Int
	ByScenario, ByModel map[string]*big.Int
}

// Cap is the process-wide sum of reservations.
type Cap struct {
	bounds map[Key]Bound

	mu                sync.Mutex
	run               *budget
	scenarios, models map[string]*budget
	// Kinds that the cap of the run had no room for stay stopped while cheaper ones go on.
	stopped map[Key]*CapError
}

// budget is the sum of what is reserved under one cap.
type budget struct {
	scope    Scope
	name     string
	whole    *big.Int // the cap of all instances together, nil for none
	limit    *big.Int // this instance's part of it
	reserved big.Int
	// A scenario or model whose cap has refused a call stays stopped, also when a later call would fit.
	stopped *CapError
}

// New makes a cap.
func New(caps Caps, bounds map[Key]Bound) *Cap {
	parts := func(scope Scope, limits map[string]*big.Int) map[string]*budget {
		budgets := make(map[string]*budget, len(limits))
		for name, limit := range limits {
			budgets[name] = &budget{scope: scope, name: name, whole: limit, limit: limit}
		}
		return budgets
	}
	return &Cap{
		bounds: bounds, run: &budget{scope: ScopeRun, whole: caps.Run, limit: caps.Run},
		scenarios: parts(ScopeScenario, caps.ByScenario), models: parts(ScopeModel, caps.ByModel),
		stopped: map[Key]*CapError{},
	}
}

// Share leaves this instance of an execution segment its part num/den of each cap, rounded down, so that the parts
// of all instances together are at most the caps. The same share given again changes nothing.
func (c *Cap) Share(num, den *big.Int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	share := func(b *budget) {
		if b.whole != nil {
			product := new(big.Int).Mul(b.whole, num)
			b.limit = product.Div(product, den)
		}
	}
	share(c.run)
	for _, b := range c.scenarios {
		share(b)
	}
	for _, b := range c.models {
		share(b)
	}
}

// Call is what a worst case depends on.
type Call struct {
	Key
	Scenario    string
	PromptBytes int64
	MaxTokens   *int64 // the output limit sent with it
}

// Reservation is one call's share of the reserved sums.
type Reservation struct {
	cap     *Cap
	bound   Bound
	budgets []*budget
	worst   *big.Int // nil where the plan has no bound and no cap
	held    *big.Int
	input   int64 // the most tokens that the worst case counts on
	output  int64
	binding *int64 // the sent limit, where the trial saw it obeyed
}

// Worst is the worst case of the call, or nil where the plan has no bound for it.
func (r *Reservation) Worst() *big.Int { return r.worst }

// Reserve adds a call's worst case to the sums of the run, its scenario and its model, or refuses and leaves them as
// they are. The error is a CapError or ErrNoBound. The narrower cap is asked first: it stops less.
func (c *Cap) Reserve(call Call) (*Reservation, error) {
	budgets := c.budgetsOf(call)
	bound, known := c.bounds[call.Key]
	if !known {
		for _, b := range budgets {
			if b.whole != nil {
				return nil, fmt.Errorf("%w: %s (%s)", ErrNoBound, call.Model, call.Kind)
			}
		}
		return &Reservation{cap: c}, nil
	}
	r := &Reservation{cap: c, bound: bound, budgets: budgets, input: call.PromptBytes + OverheadTokens}
	r.output, r.binding = bound.mostOutput(call.MaxTokens)
	r.worst = bound.price(r.input, r.output)
	r.held = r.worst
	c.mu.Lock()
	defer c.mu.Unlock()
	if refusal, stopped := c.stopped[call.Key]; stopped {
		return nil, refusal
	}
	for _, b := range budgets {
		if !b.fits(r.worst) {
			return nil, c.refuse(b, call.Key, r.worst)
		}
	}
	for _, b := range budgets {
		b.reserved.Add(&b.reserved, r.worst)
	}
	return r, nil
}

// budgetsOf lists the sums that a call counts in. The maps never change after New.
func (c *Cap) budgetsOf(call Call) []*budget {
	budgets := make([]*budget, 0, 3)
	if b, capped := c.scenarios[call.Scenario]; capped {
		budgets = append(budgets, b)
	}
	if b, capped := c.models[call.Model]; capped {
		budgets = append(budgets, b)
	}
	return append(budgets, c.run)
}

func (b *budget) fits(amount *big.Int) bool {
	if b.limit == nil {
		return true
	}
	var sum big.Int
	return b.stopped == nil && sum.Add(&b.reserved, amount).Cmp(b.limit) <= 0
}

// refuse stops the part that a budget has no room for and says why, each time in the words of the first refusal.
func (c *Cap) refuse(b *budget, key Key, worst *big.Int) *CapError {
	if b.stopped != nil {
		return b.stopped
	}
	refusal := &CapError{
		Scope: b.scope, Name: b.name, First: key, Worst: worst, Limit: b.limit, Shared: b.limit.Cmp(b.whole) != 0,
		Left: new(big.Int).Sub(b.limit, &b.reserved), Needed: new(big.Int).Add(&b.reserved, worst),
	}
	if b.scope != ScopeRun {
		b.stopped = refusal
		return refusal
	}
	// The plan bounds exactly the models and kinds that it calls: with the last of them nothing is left to start.
	if len(c.stopped)+1 < len(c.bounds) {
		refusal.Scope = ScopeKind
	}
	c.stopped[key] = refusal
	return refusal
}

// Settle lowers the reservation to the bound price of the usage that a complete answer reported. A count that the
// answer did not give keeps its worst case; usage above the worst case keeps the worst case too, because the bound
// and not the answer is what the cap was promised on.
func (r *Reservation) Settle(inputTokens, outputTokens *int64) {
	if r.worst != nil {
		r.lower(r.priceOf(inputTokens, outputTokens))
	}
}

// Exceeded reports whether usage costs more than the worst case, or wrote more than a limit that was obeyed before.
func (r *Reservation) Exceeded(inputTokens, outputTokens *int64) bool {
	if r.worst == nil {
		return false
	}
	if r.binding != nil && outputTokens != nil && *outputTokens > *r.binding {
		return true
	}
	return r.priceOf(inputTokens, outputTokens).Cmp(r.worst) > 0
}

// priceOf is the bound price of usage; what is not told counts with its most.
func (r *Reservation) priceOf(inputTokens, outputTokens *int64) *big.Int {
	input, output := r.input, r.output
	if inputTokens != nil && *inputTokens >= 0 {
		input = *inputTokens
	}
	if outputTokens != nil && *outputTokens >= 0 {
		output = *outputTokens
	}
	return r.bound.price(input, output)
}

// Release takes the reservation back: the call was refused before any generation, or never reached the target.
func (r *Reservation) Release() {
	if r.worst != nil {
		r.lower(new(big.Int))
	}
}

func (r *Reservation) lower(to *big.Int) {
	r.cap.mu.Lock()
	defer r.cap.mu.Unlock()
	if to.Cmp(r.held) >= 0 {
		return
	}
	back := new(big.Int).Sub(r.held, to)
	for _, b := range r.budgets {
		b.reserved.Sub(&b.reserved, back)
	}
	r.held = to
}

// Reserved is the sum of all reservations, or false where the plan has no bounds.
func (c *Cap) Reserved() (*big.Int, bool) {
	if len(c.bounds) == 0 {
		return nil, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return new(big.Int).Set(&c.run.reserved), true
}

// Limited reports whether any cap is set.
func (c *Cap) Limited() bool {
	return c.run.whole != nil || len(c.scenarios) > 0 || len(c.models) > 0
}
