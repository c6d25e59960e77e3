package arrivals

import (
	"math"
	"math/big"
	"testing"
	"time"
)

func TestStartTimes(t *testing.T) {
	cases := []struct {
		name   string
		stages []Stage
		max    int64
		count  int64
		at     map[int64]time.Duration
	}{
		{"10/s for 2 s: the start on the very end is not planned", []Stage{{2000, 10_000, 10_000}}, -1, 20,
			map[int64]time.Duration{0: 0, 1: 100 * time.Millisecond, 19: 1900 * time.Millisecond}},
		{"0.005/s for 500 s", []Stage{{500_000, 5, 5}}, -1, 3,
			map[int64]time.Duration{0: 0, 1: 200 * time.Second, 2: 400 * time.Second}},
		{"ramp from 0 to 2/s in 10 s: n = t²/10", []Stage{{10_000, 0, 2000}}, -1, 10,
			map[int64]time.Duration{0: 0, 1: 3162277660, 4: 6324555320, 9: 9486832981}},
		{"ramp down to 0: n = 2t − t²/10", []Stage{{10_000, 2000, 0}}, -1, 10,
			map[int64]time.Duration{0: 0, 1: 513167019, 9: 6837722340}},
		{"two stages meet at a start", []Stage{{1000, 1000, 1000}, {1000, 2000, 2000}}, -1, 3,
			map[int64]time.Duration{1: time.Second, 2: 1500 * time.Millisecond}},
		{"a pause holds what it reaches back to its beginning", []Stage{{1000, 1000, 1000}, {5000, 0, 0}, {1000, 1000, 1000}}, -1, 2,
			map[int64]time.Duration{1: time.Second}},
		{"a start within the last stage of rate 0", []Stage{{1000, 1000, 1000}, {5000, 0, 0}}, -1, 2,
			map[int64]time.Duration{1: time.Second}},
		{"max calls", []Stage{{2000, 10_000, 10_000}}, 3, 3, map[int64]time.Duration{2: 200 * time.Millisecond}},
		{"no calls", []Stage{{2000, 10_000, 10_000}}, 0, 0, nil},
		{"a billion starts do not drift", []Stage{{1_000_000_000, 1_000_000, 1_000_000}}, -1, 1_000_000_000,
			map[int64]time.Duration{999_999_999: 999_999_999 * time.Millisecond}},
		{"a third of a start a second", []Stage{{3_000_000, 333, 333}}, -1, 999,
			map[int64]time.Duration{333: 1000 * time.Second, 998: 2996996996997 * time.Nanosecond}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s, err := NewSchedule(c.stages, c.max)
			if err != nil {
				t.Fatal(err)
			}
			if s.Count() != c.count {
				t.Errorf("want %d starts, found %d", c.count, s.Count())
			}
			for n, want := range c.at {
				if at := s.At(n); at-want > 1 || want-at > 1 {
					t.Errorf("start %d: want %s, found %s", n, want, at)
				}
			}
		})
	}
}

// The integral of the rate at each start is the start's number, by exact fractions.
func TestTheIntegralAtEachStartIsItsNumber(t *testing.T) {
	stages := []Stage{{7000, 0, 3000}, {11_000, 3000, 700}, {2500, 700, 9000}, {4000, 9000, 9000}, {6000, 9000, 0}}
	s, err := NewSchedule(stages, -1)
	if err != nil {
		t.Fatal(err)
	}
	before := time.Duration(-1)
	for n := range s.Count() {
		at := s.At(n)
		if at <= before || at >= s.Duration() {
			t.Fatalf("start %d at %s after %s", n, at, before)
		}
		before = at
		reached, _ := integral(stages, at).Float64()
		if math.Abs(reached-float64(n)) > 1e-7 {
			t.Errorf("start %d at %s: the integral is %v", n, at, reached)
		}
	}
}

func integral(stages []Stage, at time.Duration) *big.Rat {
	sum := new(big.Rat)
	rest := big.NewRat(int64(at), int64(time.Millisecond))
	for _, stage := range stages {
		duration := big.NewRat(stage.DurationMS, 1)
		t := rest
		if t.Cmp(duration) > 0 {
			t = duration
		}
		// (from + rate at t) / 2 · t, per million
		slope := new(big.Rat).SetFrac64(stage.ToMillirate-stage.FromMillirate, stage.DurationMS)
		mean := new(big.Rat).Add(big.NewRat(2*stage.FromMillirate, 1), new(big.Rat).Mul(slope, t))
		sum.Add(sum, mean.Mul(mean, t).Quo(mean, big.NewRat(unit, 1)))
		rest = new(big.Rat).Sub(rest, t)
	}
	return sum
}

func TestMalformedStages(t *testing.T) {
	for name, stages := range map[string][]Stage{
		"none": nil, "no duration": {{0, 1, 1}}, "negative rate": {{1000, -1, 1}}, "too fast": {{1000, maxMillirate + 1, 1}},
		"too long": {{maxTotalMS, 1, 1}, {1, 1, 1}},
	} {
		if _, err := NewSchedule(stages, -1); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}
