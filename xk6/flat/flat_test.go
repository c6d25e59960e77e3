package flat

import (
	"runtime"
	"testing"
	"time"

	"go.k6.io/k6/v2/metrics"
)

func heap() uint64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

func TestATrendWithoutThresholdHoldsNoSample(t *testing.T) {
	registry := metrics.NewRegistry()
	trend := registry.MustNewMetric("trend", metrics.Trend, metrics.Time)
	part, err := trend.AddSubmetric("scenario:chat")
	if err != nil {
		t.Fatal(err)
	}
	Flatten(registry)
	before := heap()
	for i := range 200_000 {
		sample := metrics.Sample{TimeSeries: metrics.TimeSeries{Metric: trend}, Value: float64(i)}
		trend.Sink.Add(sample)
		part.Metric.Sink.Add(sample)
	}
	// A Trend of k6 holds 8 bytes a sample, and this test adds 400,000.
	if after := heap(); after > before+400_000 {
		t.Errorf("the heap grew by %d bytes", after-before)
	}
	got := trend.Sink.Format(time.Second)
	if got["min"] != 0 || got["max"] != 199_999 || got["avg"] != 99_999.5 || trend.Sink.IsEmpty() {
		t.Errorf("%v", got)
	}
}

func TestAThresholdKeepsItsSamples(t *testing.T) {
	registry := metrics.NewRegistry()
	whole := registry.MustNewMetric("whole", metrics.Trend)
	whole.Thresholds = metrics.NewThresholds([]string{"p(95)<10"})
	parted := registry.MustNewMetric("parted", metrics.Trend)
	part, err := parted.AddSubmetric("scenario:chat")
	if err != nil {
		t.Fatal(err)
	}
	part.Metric.Thresholds = metrics.NewThresholds([]string{"p(95)<10"})
	rate := registry.MustNewMetric("rate", metrics.Rate)
	Flatten(registry)
	for name, m := range map[string]*metrics.Metric{"metric": whole, "submetric": part.Metric} {
		if _, kept := m.Sink.(*metrics.TrendSink); !kept {
			t.Errorf("the %s with a threshold lost its samples", name)
		}
	}
	if _, flat := parted.Sink.(*Sink); !flat {
		t.Error("the metric above the submetric keeps samples that nobody reads")
	}
	if _, kept := rate.Sink.(*metrics.RateSink); !kept {
		t.Error("a rate was replaced")
	}
}

func TestOnlyARunThatAsksForItIsFlattened(t *testing.T) {
	for value, want := range map[string]bool{"1": true, "": false, "0": false} {
		t.Setenv(Variable, value)
		registry := metrics.NewRegistry()
		trend := registry.MustNewMetric("trend", metrics.Trend)
		Remember(registry)
		Apply()
		if _, flat := trend.Sink.(*Sink); flat != want {
			t.Errorf("%s=%q: flat is %v", Variable, value, flat)
		}
	}
}
