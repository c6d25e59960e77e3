package arrivals

import (
	"hash/fnv"
	"math"
	"math/rand/v2"
)

// gaps draws independent gamma variates of one shape, in a unit of no matter.
type gaps struct {
	random *rand.PCG
	shape  float64
	spare  float64 // of the pair of normal variates drawn last
	spared bool
}

// newGaps is seeded by the plan's seed and the scenario's name, so that scenarios are independent of one another.
func newGaps(shape float64, seed int64, scenario string) *gaps {
	name := fnv.New64a()
	_, _ = name.Write([]byte(scenario))
	return &gaps{random: rand.NewPCG(uint64(seed), name.Sum64()), shape: shape}
}

// next is a gap of 0 or more.
func (g *gaps) next() float64 {
	switch {
	case g.shape == 1:
		return -log(g.uniform())
	case g.shape < 1:
		// Marsaglia and Tsang, §6: a variate of shape + 1 times a power of a uniform one.
		return float64(g.gamma(g.shape+1) * exp(log(g.uniform())/g.shape))
	default:
		return g.gamma(g.shape)
	}
}

// gamma for a shape of 1 or more: Marsaglia and Tsang, "A simple method for generating gamma variables", 2000.
func (g *gaps) gamma(shape float64) float64 {
	d := shape - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		x := g.normal()
		root := 1 + float64(c*x)
		if root <= 0 {
			continue
		}
		v := float64(float64(root*root) * root)
		half := float64(0.5 * float64(x*x))
		if log(g.uniform()) < half+d-float64(d*v)+float64(d*log(v)) {
			return float64(d * v)
		}
	}
}

// normal is a standard normal variate, by Marsaglia's polar method.
func (g *gaps) normal() float64 {
	if g.spared {
		g.spared = false
		return g.spare
	}
	for {
		x, y := float64(2*g.uniform())-1, float64(2*g.uniform())-1
		square := float64(x*x) + float64(y*y)
		if square >= 1 || square == 0 {
			continue
		}
		scale := math.Sqrt(-2 * log(square) / square)
		g.spare, g.spared = float64(y*scale), true
		return float64(x * scale)
	}
}

// uniform is in (0, 1): never 0, whose logarithm has no value.
func (g *gaps) uniform() float64 {
	return (float64(g.random.Uint64()>>12) + 0.5) / (1 << 52)
}
