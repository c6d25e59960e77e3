// Package arrivals plans and makes the starts of a scenario: absolute times on a piecewise linear rate.
package arrivals

import (
	"errors"
	"fmt"
	"math"
	"time"
)

// Stage is a piece of the rate: linear from one rate to the other, in starts per 1,000 s.
type Stage struct {
	DurationMS    int64 `json:"duration_ms"`
	FromMillirate int64 `json:"from_millirate"`
	ToMillirate   int64 `json:"to_millirate"`
}

// Bounds that keep the sums below exact in int64.
const (
	maxMillirate = 1_000_000_000 // a million starts a second
	maxTotalMS   = 32 * 24 * 3600 * 1000
)

// unit is one start in the integer sums: the rate in millirate times ms, doubled so that a ramp stays whole.
const unit = 2_000_000

// Schedule gives the time of each planned start, as src/workload/arrival.ts does: start n is at the first moment at which
// the integral of the rate reaches n, so the first is at 0; only moments before the end of the last stage count.
type Schedule struct {
	stages   []Stage
	before   []int64 // integral at a stage's beginning, in units of 1/unit starts
	startMS  []int64
	total    int64
	duration time.Duration
	maxCalls int64
}

// NewSchedule checks the stages; maxCalls < 0 for as many starts as they give.
func NewSchedule(stages []Stage, maxCalls int64) (*Schedule, error) {
	s := &Schedule{stages: stages, maxCalls: maxCalls}
	if len(stages) == 0 {
		return nil, errors.New("stages: expected at least one")
	}
	var ms int64
	for i, stage := range stages {
		if stage.DurationMS <= 0 || stage.DurationMS > maxTotalMS {
			return nil, fmt.Errorf("stages[%d].duration_ms: expected 1 to %d, found %d", i, int64(maxTotalMS), stage.DurationMS)
		}
		for _, rate := range []int64{stage.FromMillirate, stage.ToMillirate} {
			if rate < 0 || rate > maxMillirate {
				return nil, fmt.Errorf("stages[%d]: expected a millirate of 0 to %d, found %d", i, maxMillirate, rate)
			}
		}
		s.before = append(s.before, s.total)
		s.startMS = append(s.startMS, ms)
		s.total += (stage.FromMillirate + stage.ToMillirate) * stage.DurationMS
		ms += stage.DurationMS
		if ms > maxTotalMS {
			return nil, fmt.Errorf("stages: expected at most %d ms in all", int64(maxTotalMS))
		}
	}
	s.duration = time.Duration(ms) * time.Millisecond
	return s, nil
}

// Duration of all stages.
func (s *Schedule) Duration() time.Duration { return s.duration }

// Count is the number of planned starts.
func (s *Schedule) Count() int64 {
	if s.maxCalls >= 0 {
		return min(s.whole(), s.maxCalls)
	}
	return s.whole()
}

// whole is the number of starts that the stages give.
func (s *Schedule) whole() int64 {
	count := s.total / unit
	last := s.stages[len(s.stages)-1]
	// A whole total is reached exactly at the end, which is too late, unless the rate is 0 for a while before it.
	if s.total == 0 || s.total%unit > 0 || last.FromMillirate+last.ToMillirate == 0 {
		count++
	}
	return count
}

// At is the planned time of start n, from the beginning; n must be below Count. Each time is computed from n alone,
// so no error adds up.
func (s *Schedule) At(n int64) time.Duration {
	want := n * unit
	i := 0
	for i+1 < len(s.stages) && s.before[i+1] < want {
		i++
	}
	return s.within(i, float64(want-s.before[i]))
}

// reach is the first moment at which a share (0 to 1) of the whole integral is reached.
func (s *Schedule) reach(share float64) time.Duration {
	want := share * float64(s.total)
	i := 0
	for i+1 < len(s.stages) && float64(s.before[i+1]) < want {
		i++
	}
	return s.within(i, want-float64(s.before[i]))
}

// within is the moment at which the integral has grown by rest since the beginning of stage i. Products are kept from
// being fused with sums: instances of one run on unlike processors agree to the nanosecond.
func (s *Schedule) within(i int, rest float64) time.Duration {
	stage := s.stages[i]
	from, to, duration := float64(stage.FromMillirate), float64(stage.ToMillirate), float64(stage.DurationMS)
	// 2·from·t + (to−from)/duration·t² = rest, solved in the form that loses no digits.
	root := math.Sqrt(max(0, float64(from*from)+float64((to-from)*rest)/duration))
	ms := 0.0
	if rest > 0 {
		ms = rest / (from + root)
	}
	return time.Duration(s.startMS[i])*time.Millisecond + time.Duration(math.Round(ms*float64(time.Millisecond)))
}
