// Package spend keeps the sum of all worst cases under the spend cap. Amounts are integers in 10⁻¹² USD.
package spend

import (
	"errors"
	"fmt"
	"math/big"
	"sync"
)

// OverheadTokens are the input tokens a gateway may add to a prompt: roles, template, system text.
const OverheadTokens = 1024

// ErrCap says that a reservation would pass the cap.
var ErrCap = errors.New("the worst case of this call would pass the spend cap")

// ErrNoBound says that a cap is set and the plan bounds no price of this model and kind.
var ErrNoBound = errors.New("the plan has no price bound for this model and kind, so the spend cap cannot be kept")

// Bound is the most that one model and kind can cost.
type Bound struct {
	PerInputToken, PerOutputToken, Fixed *big.Int
	MaxOutputTokens                      int64
}

// Key names a bound.
type Key struct{ Model, Kind string }

// Cap is the process-wide sum of reservations.
type Cap struct {
	limit  *big.Int // nil for none
	bounds map[Key]Bound

	mu       sync.Mutex
	reserved *big.Int
}

// New makes a cap; limit nil means that nothing is refused.
func New(limit *big.Int, bounds map[Key]Bound) *Cap {
	return &Cap{limit: limit, bounds: bounds, reserved: new(big.Int)}
}

// Reservation is one call's share of the reserved sum.
type Reservation struct {
	cap    *Cap
	bound  Bound
	worst  *big.Int // nil where the plan has no bound and no cap
	held   *big.Int
	prompt int64
}

// Worst is the worst case of the call, or nil where the plan has no bound for it.
func (r *Reservation) Worst() *big.Int { return r.worst }

// Reserve adds a call's worst case to the sum, or refuses and leaves the sum as it is.
// The error is ErrCap or ErrNoBound.
func (c *Cap) Reserve(key Key, promptBytes int64) (*Reservation, error) {
	bound, known := c.bounds[key]
	if !known {
		if c.limit != nil {
			return nil, fmt.Errorf("%w: %s (%s)", ErrNoBound, key.Model, key.Kind)
		}
		return &Reservation{cap: c}, nil
	}
	worst := bound.price(promptBytes+OverheadTokens, bound.MaxOutputTokens)
	c.mu.Lock()
	defer c.mu.Unlock()
	sum := new(big.Int).Add(c.reserved, worst)
	if c.limit != nil && sum.Cmp(c.limit) > 0 {
		return nil, ErrCap
	}
	c.reserved = sum
	return &Reservation{cap: c, bound: bound, worst: worst, held: worst, prompt: promptBytes}, nil
}

// Settle lowers the reservation to the bound price of the usage that the answer reported. A count the answer
// did not give keeps its worst case; usage above the worst case keeps the worst case too, because the bound
// and not the answer is what the cap was promised on.
func (r *Reservation) Settle(inputTokens, outputTokens *int64) {
	if r.worst == nil {
		return
	}
	input, output := r.prompt+OverheadTokens, r.bound.MaxOutputTokens
	if inputTokens != nil && *inputTokens >= 0 {
		input = *inputTokens
	}
	if outputTokens != nil && *outputTokens >= 0 {
		output = *outputTokens
	}
	r.lower(r.bound.price(input, output))
}

// Release takes the reservation back: the call was refused before any generation.
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
	r.cap.reserved = new(big.Int).Add(r.cap.reserved, new(big.Int).Sub(to, r.held))
	r.held = to
}

// Reserved is the sum of reservations, or false where the plan has no bounds.
func (c *Cap) Reserved() (*big.Int, bool) {
	if len(c.bounds) == 0 {
		return nil, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return new(big.Int).Set(c.reserved), true
}

// Limited reports whether a cap is set.
func (c *Cap) Limited() bool { return c.limit != nil }

func (b Bound) price(input, output int64) *big.Int {
	sum := new(big.Int).Mul(b.PerInputToken, big.NewInt(input))
	sum.Add(sum, new(big.Int).Mul(b.PerOutputToken, big.NewInt(output)))
	return sum.Add(sum, b.Fixed)
}
