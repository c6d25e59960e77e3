package spend

import (
	"math/big"
	"math/bits"
)

// OverheadTokens are the input tokens a gateway may add to a prompt: roles, template, system text.
const OverheadTokens = 1024

// Key names a bound.
type Key struct{ Model, Kind string }

// Bound is the most that one model and kind can cost.
type Bound struct {
	PerInputToken, PerOutputToken, Fixed *big.Int
	// MaxOutputTokens is the model's largest output.
	MaxOutputTokens int64
	// LimitObeyed says that a trial call showed the output limit of a request to bind.
	LimitObeyed bool
}

// mostOutput is the most output of a call that sends a limit, and that limit where it binds.
func (b Bound) mostOutput(sent *int64) (most int64, binding *int64) {
	if !b.LimitObeyed || sent == nil || *sent < 0 {
		return b.MaxOutputTokens, nil
	}
	return min(*sent, b.MaxOutputTokens), sent
}

func (b Bound) price(input, output int64) *big.Int {
	if sum, fits := b.smallPrice(input, output); fits {
		return new(big.Int).SetUint64(sum)
	}
	sum := new(big.Int).Mul(b.PerInputToken, big.NewInt(input))
	sum.Add(sum, new(big.Int).Mul(b.PerOutputToken, big.NewInt(output)))
	return sum.Add(sum, b.Fixed)
}

// smallPrice is the price where all that it is made of fits into 64 bits, as that of nearly every call does.
func (b Bound) smallPrice(input, output int64) (sum uint64, fits bool) {
	if input < 0 || output < 0 || !b.PerInputToken.IsUint64() || !b.PerOutputToken.IsUint64() || !b.Fixed.IsUint64() {
		return 0, false
	}
	above, in := bits.Mul64(b.PerInputToken.Uint64(), uint64(input))
	over, out := bits.Mul64(b.PerOutputToken.Uint64(), uint64(output))
	sum, carry := bits.Add64(in, out, 0)
	sum, last := bits.Add64(sum, b.Fixed.Uint64(), 0)
	return sum, above|over|carry|last == 0
}
