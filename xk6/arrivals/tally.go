package arrivals

import (
	"sync/atomic"
	"time"

	"go.k6.io/k6/v2/lib"
	"go.k6.io/k6/v2/metrics"

	"weighbridge.dev/xk6/load"
	"weighbridge.dev/xk6/metric"
)

// tallyInterval is how often k6 is told of the starts.
const tallyInterval = 100 * time.Millisecond

// tally tells k6's metrics what became of the starts, beside the dispatch: the channel of samples may be full, and a
// start must not wait for it.
type tally struct {
	started, dropped  atomic.Int64 // of the measured phase, which thresholds judge
	droppedIterations atomic.Int64 // of all phases, as k6 counts them
	rate, iterations  *metrics.Metric
	tags              *metrics.TagSet
}

func newTally(test *lib.TestRunState, scenario string) (*tally, error) {
	rate, err := test.Registry.NewMetric(metric.Dropped.Name, metrics.Rate)
	if err != nil {
		return nil, err
	}
	tags := test.RunTags
	if test.Options.SystemTags.Has(metrics.TagScenario) {
		tags = tags.With("scenario", scenario)
	}
	return &tally{rate: rate, iterations: test.BuiltinMetrics.DroppedIterations, tags: tags}, nil
}

// add counts a start; what was held was neither made nor dropped.
func (t *tally) add(fate int, measured bool) {
	if fate == load.Dropped {
		t.droppedIterations.Add(1)
	}
	switch {
	case !measured:
	case fate == load.Started:
		t.started.Add(1)
	case fate == load.Dropped:
		t.dropped.Add(1)
	}
}

// every pushes what was counted each interval, and the rest when the returned function is called.
func (t *tally) every(interval time.Duration, out chan<- metrics.SampleContainer) (stop func()) {
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		ticker := time.NewTicker(interval)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				t.push(out)
			case <-quit:
				t.push(out)
				return
			}
		}
	}()
	return func() {
		close(quit)
		<-done
	}
}

func (t *tally) push(out chan<- metrics.SampleContainer) {
	started, dropped, droppedIterations := t.started.Swap(0), t.dropped.Swap(0), t.droppedIterations.Swap(0)
	if started+dropped+droppedIterations == 0 {
		return
	}
	now := time.Now()
	samples := make(metrics.Samples, 0, started+dropped+1)
	for i := range started + dropped {
		samples = append(samples, metrics.Sample{
			TimeSeries: metrics.TimeSeries{Metric: t.rate, Tags: t.tags}, Time: now, Value: metrics.B(i >= started),
		})
	}
	if droppedIterations > 0 {
		samples = append(samples, metrics.Sample{
			TimeSeries: metrics.TimeSeries{Metric: t.iterations, Tags: t.tags}, Time: now,
			Value: float64(droppedIterations),
		})
	}
	out <- samples
}
