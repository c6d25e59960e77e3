// Package flat keeps the memory of k6's own metrics from growing with the number of calls: a Trend of k6 holds every
// sample that it ever got, for a summary that a run of ours does not print.
package flat

import (
	"os"
	"sync"
	"time"

	"go.k6.io/k6/v2/metrics"
)

// Variable says, with the value "1", that nobody will read percentiles from k6. Whoever runs k6 by hand does not set it
// and has the summary whole.
const Variable = "WEIGHBRIDGE_FLAT_METRICS"

var known struct {
	mu       sync.Mutex
	registry *metrics.Registry
}

// Remember keeps the registry of this process, which only a module sees and only an output needs.
func Remember(registry *metrics.Registry) {
	known.mu.Lock()
	defer known.mu.Unlock()
	known.registry = registry
}

// Apply flattens the metrics of the remembered registry where the environment asks for it. To be called once thresholds
// are set and before samples flow: when outputs are started.
func Apply() {
	known.mu.Lock()
	defer known.mu.Unlock()
	if known.registry != nil && os.Getenv(Variable) == "1" {
		Flatten(known.registry)
	}
}

// Flatten replaces the sinks of all Trends on which no threshold stands; one that has some needs its samples.
func Flatten(registry *metrics.Registry) {
	for _, metric := range registry.All() {
		flatten(metric)
		for _, part := range metric.Submetrics {
			flatten(part.Metric)
		}
	}
}

func flatten(metric *metrics.Metric) {
	if _, growing := metric.Sink.(*metrics.TrendSink); growing && len(metric.Thresholds.Thresholds) == 0 {
		metric.Sink = &Sink{}
	}
}

// Sink is a Trend of constant size, without percentiles.
type Sink struct {
	count         uint64
	sum, min, max float64
}

// Add a sample.
func (s *Sink) Add(sample metrics.Sample) {
	if s.count == 0 || sample.Value < s.min {
		s.min = sample.Value
	}
	if s.count == 0 || sample.Value > s.max {
		s.max = sample.Value
	}
	s.count++
	s.sum += sample.Value
}

// Format gives what needs no sample.
func (s *Sink) Format(time.Duration) map[string]float64 {
	values := map[string]float64{"min": s.min, "max": s.max, "avg": 0}
	if s.count > 0 {
		values["avg"] = s.sum / float64(s.count)
	}
	return values
}

// IsEmpty reports whether there was no sample.
func (s *Sink) IsEmpty() bool { return s.count == 0 }
