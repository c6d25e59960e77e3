package traffic

import "weighbridge.dev/xk6/plan"

// watermark is watermarkOf of src/workload/watermark.ts: the words of padding of call n.
func watermark(w *plan.Watermark, n int64) int64 {
	m := w.Modulus
	counter := ((n%m)*(w.Of%m) + w.First) % m
	return counter * stride(m) % m
}

const paddingWord = " x"

func stride(modulus int64) int64 {
	near := (modulus*618 + 500) / 1000
	for away := range modulus {
		for _, step := range [2]int64{near + away, near - away} {
			if step >= 1 && step < modulus && divisor(step, modulus) == 1 {
				return step
			}
		}
	}
	return 1
}

// divisor is the greatest one that both have.
func divisor(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
