package module

import (
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"go.k6.io/k6/v2/metrics"

	"weighbridge.dev/xk6/ledger"
	"weighbridge.dev/xk6/metric"
)

// processSamples are what a state line says of the whole process. k6 takes samples only where a virtual user works, so
// they come with the first call that ends after a new state line.
type processSamples struct {
	seen atomic.Pointer[ledger.State]
	mu   sync.Mutex
	held map[string]int64
}

// add takes the tags of the run, such as those of --tag: the samples belong to no iteration, which would bring them.
func (p *processSamples) add(
	m *loadMetrics, runTags map[string]string, now time.Time, samples metrics.Samples,
) metrics.Samples {
	state, seen := m.run.LatestState(), p.seen.Load()
	if state == nil || state == seen || !p.seen.CompareAndSwap(seen, state) {
		return samples
	}
	push := func(entry metric.Metric, tags *metrics.TagSet, value float64) {
		samples = append(samples, metrics.Sample{
			TimeSeries: metrics.TimeSeries{Metric: m.all[entry.Index], Tags: tags}, Time: now, Value: value,
		})
	}
	base := m.root.WithTagsFromMap(runTags)
	own := base.With(metric.TagInstance, m.run.Instance)
	push(metric.ClientCpu, own, state.CPU)
	push(metric.ClientTimerLag, own, state.TimerLagMS)
	if state.ReservedUSD != nil {
		if display, err := strconv.ParseFloat(*state.ReservedUSD, 64); err == nil {
			push(metric.ReservedDisplay, own, display)
		}
	}
	if m.run.Plan != nil {
		push(metric.RunActive, own.With(metric.TagTarget, m.run.Plan.Root), 1)
	}
	for _, scenario := range state.Scenarios {
		tags := base.With(metric.TagScenario, scenario.Scenario)
		push(metric.InFlight, tags.With(metric.TagInstance, m.run.Instance), float64(scenario.InFlight))
		if further := p.further(scenario); further > 0 {
			push(metric.Held, tags, float64(further))
		}
	}
	return samples
}

// further is how many starts of a scenario were held since the state before.
func (p *processSamples) further(scenario ledger.ScenarioState) int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.held == nil {
		p.held = map[string]int64{}
	}
	further := scenario.Held - p.held[scenario.Scenario]
	p.held[scenario.Scenario] = scenario.Held
	return further
}
