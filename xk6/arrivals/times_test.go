package arrivals

import (
	"math"
	"slices"
	"testing"
	"time"
)

func scheduleOf(t *testing.T, maxCalls int64, stages ...Stage) *Schedule {
	t.Helper()
	s, err := NewSchedule(stages, maxCalls)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func random(schedule *Schedule, shape float64, seed int64, scenario string) []time.Duration {
	return all(newRandomTimes(schedule, newGaps(shape, seed, scenario), newGaps(shape, seed, scenario)))
}

func all(t times) []time.Duration {
	at := make([]time.Duration, t.Count())
	for n := range at {
		at[n] = t.At(int64(n))
	}
	return at
}

func TestARandomProcessMakesAsManyStartsAsTheEvenOneInOrder(t *testing.T) {
	stages := []Stage{{20_000, 0, 100_000}, {5_000, 0, 0}, {20_000, 100_000, 30_000}}
	for _, shape := range []float64{0.05, 0.5, 1, 4, 100} {
		for _, limit := range []int64{-1, 0, 7, 700, 1_000_000} {
			s := scheduleOf(t, limit, stages...)
			at := random(s, shape, 3, "chat")
			if int64(len(at)) != s.Count() {
				t.Fatalf("shape %v: want %d starts, found %d", shape, s.Count(), len(at))
			}
			for n, moment := range at {
				if moment < 0 || moment >= s.Duration() || n > 0 && moment < at[n-1] {
					t.Fatalf("shape %v: start %d at %s", shape, n, moment)
				}
				if moment > 20*time.Second && moment < 25*time.Second {
					t.Fatalf("shape %v: start %d in a stage of rate 0", shape, n)
				}
			}
		}
	}
}

func TestSeedAndScenarioMakeTheTimes(t *testing.T) {
	s := scheduleOf(t, -1, Stage{60_000, 50_000, 50_000})
	one := random(s, 0.5, 11, "chat")
	if !slices.Equal(one, random(s, 0.5, 11, "chat")) {
		t.Error("the same seed gives other times")
	}
	for name, other := range map[string][]time.Duration{
		"seed": random(s, 0.5, 12, "chat"), "scenario": random(s, 0.5, 11, "image"),
	} {
		same := 0
		for n := range one {
			if one[n] == other[n] {
				same++
			}
		}
		if same > 5 {
			t.Errorf("another %s has %d of %d times in common", name, same, len(one))
		}
	}
	// Golden times: they must not change with the processor or a later version of the language.
	want := []time.Duration{8245412, 21702832, 29388741, 29925808}
	if found := one[:4]; !slices.Equal(found, want) {
		t.Errorf("want %d, found %d", want, found)
	}
	// Cutting the number of calls leaves the times of the others as they are.
	if cut := random(scheduleOf(t, 100, Stage{60_000, 50_000, 50_000}), 0.5, 11, "chat"); !slices.Equal(cut, one[:100]) {
		t.Error("maxCalls moves the starts")
	}
}

// gapsOf are in units of the mean gap.
func gapsOf(at []time.Duration) []float64 {
	mean := float64(at[len(at)-1]-at[0]) / float64(len(at)-1)
	gaps := make([]float64, len(at)-1)
	for n := range gaps {
		gaps[n] = float64(at[n+1]-at[n]) / mean
	}
	return gaps
}

func variation(values []float64) float64 {
	sum, squares := 0.0, 0.0
	for _, v := range values {
		sum += v
		squares += v * v
	}
	n := float64(len(values))
	mean := sum / n
	return math.Sqrt(squares/n-mean*mean) / mean
}

// distance is Kolmogorov's, between the values and a distribution.
func distance(values []float64, distribution func(float64) float64) float64 {
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	n, largest := float64(len(sorted)), 0.0
	for i, v := range sorted {
		f := distribution(v)
		largest = max(largest, float64(i+1)/n-f, f-float64(i)/n)
	}
	return largest
}

// gammaBelow is the distribution function of the gamma distribution of a shape with mean 1: the series of the
// incomplete gamma function.
func gammaBelow(shape float64) func(float64) float64 {
	logGamma, _ := math.Lgamma(shape + 1)
	return func(v float64) float64 {
		x := v * shape
		if x <= 0 {
			return 0
		}
		term, sum := 1.0, 1.0
		for k := 1.0; term > sum*1e-14; k++ {
			term *= x / (shape + k)
			sum += term
		}
		return sum * math.Exp(shape*math.Log(x)-x-logGamma)
	}
}

func TestTheGapsHaveTheirDistribution(t *testing.T) {
	const starts = 40_000
	// A gap of 10 s on the average: a shape far below 1 has gaps below the nanosecond of a time.
	s := scheduleOf(t, -1, Stage{starts * 10_000, 100, 100})
	// 1.63/√n is passed by chance once in 100; the seeds are fixed, so that it happens never or always.
	critical := 1.63 / math.Sqrt(starts)
	for _, shape := range []float64{0.25, 0.5, 1, 2, 16} {
		gaps := gapsOf(random(s, shape, 5, "chat"))
		if d := distance(gaps, gammaBelow(shape)); d > critical {
			t.Errorf("shape %v: the gaps are %.4f from the gamma distribution, want at most %.4f", shape, d, critical)
		}
		if d := distance(gaps, gammaBelow(shape*1.1)); d < critical {
			t.Errorf("shape %v: the test does not tell it from %v", shape, shape*1.1)
		}
		if cv, want := variation(gaps), 1/math.Sqrt(shape); math.Abs(cv/want-1) > 0.03 {
			t.Errorf("shape %v: coefficient of variation %.3f, want %.3f", shape, cv, want)
		}
	}
	exponential := func(v float64) float64 { return 1 - math.Exp(-v) }
	if d := distance(gapsOf(random(s, 1, 6, "chat")), exponential); d > critical {
		t.Errorf("poisson: the gaps are %.4f from the exponential distribution", d)
	}
}

// In windows that are short against the run a Poisson process has as much variance as mean, a gamma process 1/shape of
// it once the windows hold many gaps.
func TestTheIndexOfDispersion(t *testing.T) {
	s := scheduleOf(t, -1, Stage{400_000, 100_000, 100_000})
	for shape, want := range map[float64]float64{0.5: 2, 1: 1, 4: 0.25} {
		counts := make([]float64, 2000)
		for _, at := range random(s, shape, 9, "chat") {
			counts[at/(200*time.Millisecond)]++
		}
		cv := variation(counts)
		mean := 20.0
		if index := cv * cv * mean; math.Abs(index/want-1) > 0.15 {
			t.Errorf("shape %v: index of dispersion %.3f, want %.3f", shape, index, want)
		}
	}
}

func TestARampKeepsItsMeanRate(t *testing.T) {
	s := scheduleOf(t, -1, Stage{100_000, 0, 400_000})
	for _, shape := range []float64{0.5, 1, 4} {
		counts := make([]float64, 10)
		for _, at := range random(s, shape, 2, "chat") {
			counts[at/(10*time.Second)]++
		}
		for i, found := range counts {
			want := 200 * float64(2*i+1)
			if bound := 5 * math.Sqrt(want/shape); math.Abs(found-want) > bound {
				t.Errorf("shape %v, tenth %d: %v starts, want %v ± %.0f", shape, i, found, want, bound)
			}
		}
	}
}

func TestPortableMath(t *testing.T) {
	for _, x := range []float64{1e-300, 1e-16, 0.1, 0.5, 0.70710678, 0.7071068, 0.999999, 1, 1.000001, 1.4142, 2, 10, 1e300} {
		if found, want := log(x), math.Log(x); math.Abs(found-want) > 4e-16*math.Max(1, math.Abs(want)) {
			t.Errorf("log %v: want %v, found %v", x, want, found)
		}
	}
	for _, x := range []float64{0, -1e-9, -0.3, -0.34657, -0.35, -1, -17.5, -300, -699} {
		if found, want := exp(x), math.Exp(x); math.Abs(found/want-1) > 2e-13 {
			t.Errorf("exp %v: want %v, found %v", x, want, found)
		}
	}
	if exp(-1e6) != 0 {
		t.Error("exp of far below is not 0")
	}
}

func BenchmarkAMillionStarts(b *testing.B) {
	s, err := NewSchedule([]Stage{{1_000_000, 1_000_000, 1_000_000}}, -1)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		t := newRandomTimes(s, newGaps(0.5, 1, "chat"), newGaps(0.5, 1, "chat"))
		for n := range t.Count() {
			t.At(n)
		}
	}
}
