package module

import (
	"fmt"
	"time"

	"go.k6.io/k6/v2/metrics"

	"weighbridge.dev/xk6/call"
	"weighbridge.dev/xk6/ledger"
	"weighbridge.dev/xk6/metric"
	"weighbridge.dev/xk6/outcome"
)

// loadMetrics are the registered metrics of the catalogue.
type loadMetrics struct{ byName map[string]*metrics.Metric }

func register(registry *metrics.Registry) (*loadMetrics, error) {
	m := &loadMetrics{byName: map[string]*metrics.Metric{}}
	for _, entry := range metric.All {
		var registered *metrics.Metric
		var err error
		switch entry.Type {
		case metric.TypeCounter:
			registered, err = registry.NewMetric(entry.Name, metrics.Counter)
		case metric.TypeRate:
			registered, err = registry.NewMetric(entry.Name, metrics.Rate)
		case metric.TypeTrendMs:
			registered, err = registry.NewMetric(entry.Name, metrics.Trend, metrics.Time)
		default:
			err = fmt.Errorf("metric %s has the unknown type %s", entry.Name, entry.Type)
		}
		if err != nil {
			return nil, err
		}
		m.byName[entry.Name] = registered
	}
	return m, nil
}

// samplesOf turns the row of a paid call into samples; free rows give none.
func (m *loadMetrics) samplesOf(row ledger.Row, tags metrics.TagsAndMeta) metrics.Samples {
	if !call.Paid(row.Kind) {
		return nil
	}
	set := tags.Tags.With(metric.TagKind, row.Kind).With(metric.TagOutcome, row.Outcome)
	if row.Model != nil {
		set = set.With(metric.TagModel, *row.Model)
	}
	now := time.Now()
	var samples metrics.Samples
	push := func(entry metric.Metric, value float64) {
		samples = append(samples, metrics.Sample{
			TimeSeries: metrics.TimeSeries{Metric: m.byName[entry.Name], Tags: set},
			Time:       now, Value: value, Metadata: tags.Metadata,
		})
	}
	push(metric.Calls, 1)
	if row.ScheduleLagMS != nil {
		push(metric.ScheduleLag, *row.ScheduleLagMS)
	}
	ok := row.Outcome == string(outcome.Ok)
	if row.Outcome != string(outcome.NotSent) {
		push(metric.Ok, metrics.B(ok))
	}
	if !ok {
		return samples
	}
	push(metric.Duration, row.EndMS)
	if row.TTFTMS != nil {
		push(metric.Ttft, *row.TTFTMS)
		if row.Usage != nil && row.Usage.Output != nil && *row.Usage.Output > 1 {
			push(metric.Tpot, (row.EndMS-*row.TTFTMS)/float64(*row.Usage.Output-1))
		}
	}
	return samples
}
