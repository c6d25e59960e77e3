package arrivals

import "math"

// The standard library's logarithm and exponential may differ in their last digit from one processor to another: some
// have them in assembly, some fuse a product with a sum. Instances of one run may stand on both, and each computes all
// times for itself. These use only operations that IEEE 754 rounds exactly; the conversions keep products unfused.

// The terms of both series, smallest first: 1/23, 1/21 … 1 and 1/18!, 1/17! … 1.
var atanhTerms, expTerms = func() (atanh [12]float64, power [19]float64) {
	for i := range atanh {
		atanh[i] = 1 / float64(23-2*i)
	}
	factorial := 1.0
	for n := range power {
		factorial *= max(1, float64(n))
		power[18-n] = 1 / factorial
	}
	return atanh, power
}()

// log is the natural logarithm of a finite x > 0.
func log(x float64) float64 {
	fraction, exponent := math.Frexp(x)
	if fraction < math.Sqrt2/2 {
		fraction *= 2
		exponent--
	}
	// ln f = 2·atanh s with s = (f−1)/(f+1), |s| ≤ 0.172: 12 terms reach below 2⁻⁵³ of the sum.
	s := (fraction - 1) / (fraction + 1)
	square := float64(s * s)
	sum := 0.0
	for _, term := range atanhTerms {
		sum = float64(sum*square) + term
	}
	return float64(2*s*sum) + float64(float64(exponent)*math.Ln2)
}

// exp is e^x for x ≤ 0; far below, 0.
func exp(x float64) float64 {
	if x < -700 {
		return 0
	}
	// e^x = 2^k · e^r with |r| ≤ ln2/2; 18 terms of the series reach below 2⁻⁵³.
	k := math.Round(x / math.Ln2)
	r := x - float64(k*math.Ln2)
	sum := 0.0
	for _, term := range expTerms {
		sum = float64(sum*r) + term
	}
	return math.Ldexp(sum, int(k))
}
