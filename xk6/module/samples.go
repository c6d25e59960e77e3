package module

import (
	"time"

	"go.k6.io/k6/v2/metrics"

	"weighbridge.dev/xk6/ledger"
	"weighbridge.dev/xk6/metric"
	"weighbridge.dev/xk6/outcome"
)

// sampler collects the samples of one row.
type sampler struct {
	metrics *loadMetrics
	row     *ledger.Row
	base    metrics.TagsAndMeta
	now     time.Time
	samples metrics.Samples
}

// addSamplesOf adds those of the row of a paid call.
func (m *loadMetrics) addSamplesOf(
	row *ledger.Row, tags metrics.TagsAndMeta, runTags map[string]string, into metrics.Samples,
) metrics.Samples {
	s := &sampler{metrics: m, row: row, base: tags, now: time.Now(), samples: into}
	set := m.tagSets.ofCall(tags.Tags, row)
	s.counts(set)
	if row.Outcome == string(outcome.Ok) {
		s.times(set)
	}
	return m.process.add(m, runTags, s.now, s.samples)
}

func (s *sampler) push(entry metric.Metric, set *metrics.TagSet, value float64) {
	s.samples = append(s.samples, metrics.Sample{
		TimeSeries: metrics.TimeSeries{Metric: s.metrics.all[entry.Index], Tags: set},
		Time:       s.now, Value: value, Metadata: s.base.Metadata,
	})
}

func (s *sampler) counts(set *metrics.TagSet) {
	row := s.row
	s.push(metric.Calls, set, 1)
	if row.ScheduleLagMS != nil {
		s.push(metric.ScheduleLag, set, *row.ScheduleLagMS)
	}
	if row.Attempt > 1 {
		s.push(metric.Retries, set, 1)
	}
	if row.Usage == nil {
		return
	}
	if row.Usage.Input != nil {
		s.push(metric.TokensIn, set, float64(*row.Usage.Input))
	}
	if row.Usage.Output != nil {
		s.push(metric.TokensOut, set, float64(*row.Usage.Output))
	}
}

func (s *sampler) times(set *metrics.TagSet) {
	row := s.row
	s.push(metric.Duration, set, row.EndMS)
	if row.ScheduleLagMS != nil {
		s.push(metric.DurationFromPlan, set, *row.ScheduleLagMS+row.EndMS)
	}
	if !row.Stream || row.TTFTMS == nil {
		return
	}
	s.push(metric.Ttft, set, *row.TTFTMS)
	if row.TTFOMS != nil {
		s.push(metric.Ttfo, set, *row.TTFOMS)
	}
	if tpot, known := tpotOf(row); known {
		s.push(metric.Tpot, set, tpot)
	}
	if mean, known := meanGap(row.ITL); known {
		s.push(metric.ItlMean, set, mean)
	}
	if row.MaxGapMS != nil {
		s.push(metric.ItlMax, set, *row.MaxGapMS)
	}
}

func tpotOf(row *ledger.Row) (float64, bool) {
	if row.TTFTMS == nil || row.Usage == nil || row.Usage.Output == nil || *row.Usage.Output <= 1 {
		return 0, false
	}
	return (row.EndMS - *row.TTFTMS) / float64(*row.Usage.Output-1), true
}

func meanGap(itl [][2]float64) (float64, bool) {
	var sum, count float64
	for _, pair := range itl {
		sum += pair[0] * pair[1]
		count += pair[1]
	}
	return sum / max(count, 1), count > 0
}
