package module

import (
	"fmt"
	"sync"

	"go.k6.io/k6/v2/metrics"

	"weighbridge.dev/xk6/load"
	"weighbridge.dev/xk6/metric"
)

// loadMetrics are the registered metrics of the catalogue. All virtual users share one.
type loadMetrics struct {
	all     []*metrics.Metric // by their index in the catalogue
	root    *metrics.TagSet
	run     *load.Run
	tagSets tagSets
	bounds  map[string][]bound // by scenario
	process processSamples
}

var shared struct {
	mu       sync.Mutex
	registry *metrics.Registry
	metrics  *loadMetrics
}

// metricsOf gives the metrics of a registry: k6 has one a process, a test one of its own.
func metricsOf(registry *metrics.Registry, run *load.Run) (*loadMetrics, error) {
	shared.mu.Lock()
	defer shared.mu.Unlock()
	if shared.registry == registry {
		return shared.metrics, nil
	}
	registered, err := register(registry, run)
	if err != nil {
		return nil, err
	}
	shared.registry, shared.metrics = registry, registered
	return registered, nil
}

func register(registry *metrics.Registry, run *load.Run) (*loadMetrics, error) {
	m := &loadMetrics{
		all: make([]*metrics.Metric, len(metric.All)), root: registry.RootTagSet(), run: run, bounds: boundsOf(run.Plan),
	}
	for _, entry := range metric.All {
		kind, contains, err := typeOf(entry)
		if err != nil {
			return nil, err
		}
		if m.all[entry.Index], err = registry.NewMetric(entry.Name, kind, contains); err != nil {
			return nil, err
		}
	}
	return m, nil
}

func typeOf(entry metric.Metric) (metrics.MetricType, metrics.ValueType, error) {
	contains := metrics.Default
	if entry.Unit == "ms" {
		contains = metrics.Time
	}
	switch entry.Type {
	case metric.TypeCounter:
		return metrics.Counter, contains, nil
	case metric.TypeRate:
		return metrics.Rate, contains, nil
	case metric.TypeGauge:
		return metrics.Gauge, contains, nil
	case metric.TypeTrend:
		return metrics.Trend, contains, nil
	default:
		return 0, contains, fmt.Errorf("metric %s has the unknown type %s", entry.Name, entry.Type)
	}
}
