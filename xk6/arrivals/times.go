package arrivals

import (
	"fmt"
	"time"

	"weighbridge.dev/xk6/trace"
)

// times gives the planned times of all starts of a scenario, over all execution segments.
type times interface {
	Count() int64
	// At is the time of start n from the beginning. n is below Count and above that of the call before.
	At(n int64) time.Duration
}

// timesOf chooses the times by the options; replayed is the scenario's trace, nil where it has none.
func (c Config) timesOf(schedule *Schedule, replayed *trace.Starts) (times, error) {
	switch {
	case c.Trace && replayed == nil:
		return nil, fmt.Errorf("scenario %s: expected a trace in the plan, found none", c.GetName())
	case c.Trace:
		return newTraceTimes(replayed, schedule)
	case c.Process == Even:
		return schedule, nil
	case c.Process == Poisson:
		return newRandomTimes(schedule, newGaps(1, c.Seed, c.GetName()), newGaps(1, c.Seed, c.GetName())), nil
	default:
		return newRandomTimes(schedule, newGaps(c.Burstiness, c.Seed, c.GetName()),
			newGaps(c.Burstiness, c.Seed, c.GetName())), nil
	}
}

// randomTimes are as many starts as the schedule gives, with random gaps: with exponential gaps, exactly a Poisson
// process of the schedule's rate given that number. Start n stands at (gap 0 + … + gap n) / (sum of one gap more than
// starts) of the rate's integral. The gaps are drawn twice from equal seeds, so that none need be kept.
type randomTimes struct {
	schedule *Schedule
	gaps     *gaps
	sum      float64
	reached  float64
	drawn    int64
}

func newRandomTimes(schedule *Schedule, first, second *gaps) *randomTimes {
	t := &randomTimes{schedule: schedule, gaps: second}
	for range schedule.whole() + 1 {
		t.sum += first.next()
	}
	return t
}

// Count is that of the schedule.
func (t *randomTimes) Count() int64 { return t.schedule.Count() }

// At is never before an earlier start and always before the schedule's end.
func (t *randomTimes) At(n int64) time.Duration {
	for ; t.drawn <= n; t.drawn++ {
		t.reached += t.gaps.next()
	}
	return min(t.schedule.reach(t.reached/t.sum), t.schedule.Duration()-1)
}

// traceTimes are the starts of a trace, at most maxCalls of them.
type traceTimes struct {
	starts *trace.Starts
	count  int64
}

func newTraceTimes(starts *trace.Starts, schedule *Schedule) (*traceTimes, error) {
	count := starts.Count()
	if schedule.maxCalls >= 0 {
		count = min(count, schedule.maxCalls)
	}
	if count > 0 && starts.At(count-1) >= schedule.Duration() {
		return nil, fmt.Errorf("trace: expected starts before the end of the stages at %s, found one at %s",
			schedule.Duration(), starts.At(count-1))
	}
	return &traceTimes{starts: starts, count: count}, nil
}

// Count of the starts.
func (t *traceTimes) Count() int64 { return t.count }

// At is the time of line n of the scenario.
func (t *traceTimes) At(n int64) time.Duration { return t.starts.At(n) }
