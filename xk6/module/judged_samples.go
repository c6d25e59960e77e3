package module

import (
	"net/http"
	"time"

	"go.k6.io/k6/v2/metrics"

	"weighbridge.dev/xk6/call"
	"weighbridge.dev/xk6/ledger"
	"weighbridge.dev/xk6/metric"
	"weighbridge.dev/xk6/outcome"
	"weighbridge.dev/xk6/plan"
)

// callSamples collects the samples of one logical call: of each row, and once of what decided it, so that a threshold
// and the ledger judge the same calls. It follows src/measure/logical-call.ts and good-call.ts.
type callSamples struct {
	metrics *loadMetrics
	tags    metrics.TagsAndMeta
	runTags map[string]string
	rows    metrics.Samples
	judged  metrics.Samples
	first   string // when the first attempt started; rows keep it as text
}

// add takes the next row.
func (c *callSamples) add(row *ledger.Row) {
	if !call.Paid(row.Kind) {
		return
	}
	c.rows = c.metrics.addSamplesOf(row, c.tags, c.runTags, c.room())
	if c.first == "" {
		c.first = row.StartedAt
	}
	if row.Outcome != string(outcome.NotSent) { // else the attempt before it stays the last one
		c.judged = c.metrics.judgedSamplesOf(row, millisecondsBetween(c.first, row.StartedAt), c.tags)
	}
}

// usualSamples is enough for a streamed call of one attempt with an objective or two.
const usualSamples = 26

// room are the samples so far, with room for more: their memory is taken when the call ends.
func (c *callSamples) room() metrics.Samples {
	if c.rows == nil {
		c.rows = make(metrics.Samples, 0, usualSamples)
	}
	return c.rows
}

// all are the samples of a call that is over.
func (c *callSamples) all() metrics.Samples { return append(c.rows, c.judged...) }

// judgedSamplesOf judges the last attempt of a call. before is the time from the first attempt's start to this one's,
// ms: who waits for the answer waits for the attempts before it, too.
func (m *loadMetrics) judgedSamplesOf(row *ledger.Row, before float64, tags metrics.TagsAndMeta) metrics.Samples {
	switch outcome.Outcome(row.Outcome) {
	case outcome.NotSent, outcome.Aborted, outcome.Interrupted:
		return nil // the target could not have made it good
	}
	if fallsBack(row) {
		return nil
	}
	s := &sampler{metrics: m, row: row, base: tags, now: time.Now()}
	ok := row.Outcome == string(outcome.Ok)
	s.push(metric.Ok, m.tagSets.ofCall(tags.Tags, row), metrics.B(ok))
	bounds := m.bounds[row.Scenario]
	if len(bounds) == 0 || row.Phase != plan.Measured {
		return s.samples
	}
	good := ok
	for _, b := range bounds {
		value, known := b.timeOf(row, before)
		if !known || !ok {
			continue
		}
		within := value <= b.max
		good = good && within
		s.push(metric.Attained, m.tagSets.ofObjective(tags.Tags, b.objective), metrics.B(within))
	}
	s.push(metric.Attained, m.tagSets.ofObjective(tags.Tags, goodObjective), metrics.B(good))
	return s.samples
}

// fallsBack tells whether the synchronous route follows, as a further attempt that decides (interface §4 note 1,
// scenarios/lib/send-image-job.ts): the job route is definitely not there.
func fallsBack(row *ledger.Row) bool {
	if row.Kind != "image_job" && row.Kind != "image_edit_job" || row.Outcome != string(outcome.HttpError) {
		return false
	}
	code, status := "", 0
	if row.ErrorCode != nil {
		code = *row.ErrorCode
	}
	if row.Status != nil {
		status = *row.Status
	}
	switch {
	case code == "unsupported_route":
		return true
	case status == http.StatusNotFound:
		return code != "model_not_found"
	default:
		return status == http.StatusMethodNotAllowed || status == http.StatusNotImplemented
	}
}

// millisecondsBetween two instants of rows.
func millisecondsBetween(first, last string) float64 {
	if first == last {
		return 0
	}
	from, err := time.Parse(time.RFC3339Nano, first)
	to, otherErr := time.Parse(time.RFC3339Nano, last)
	if err != nil || otherErr != nil {
		return 0
	}
	return float64(to.Sub(from)) / float64(time.Millisecond)
}
