package module

import (
	"testing"

	"go.k6.io/k6/v2/metrics"

	"weighbridge.dev/xk6/metric"
	"weighbridge.dev/xk6/plan"
)

func TestSamplesOfTheProcessCarryTheTagsOfTheRun(t *testing.T) {
	m := registered(t)
	m.run.Plan = &plan.Plan{Root: "http://gateway.example"}
	m.run.Counts.Of("chat").Held.Add(1)
	if err := m.run.OpenLedger(t.TempDir(), nil); err != nil {
		t.Fatal(err)
	}
	if err := m.run.CloseLedger(); err != nil { // makes the last state
		t.Fatal(err)
	}
	row := stream()
	own := &callSamples{metrics: m, tags: metrics.TagsAndMeta{Tags: m.root}, runTags: map[string]string{"testid": "r1"}}
	own.add(&row)
	found := map[string]map[string]string{}
	for _, sample := range own.all() {
		found[sample.Metric.Name] = sample.Tags.Map()
	}
	for _, name := range []string{
		metric.ClientCpu.Name, metric.ClientTimerLag.Name, metric.RunActive.Name, metric.InFlight.Name, metric.Held.Name,
	} {
		if tags, given := found[name]; !given || tags["testid"] != "r1" {
			t.Errorf("%s: expected the tag testid of the run, found %v (%v)", name, tags, given)
		}
	}
	if target := found[metric.RunActive.Name][metric.TagTarget]; target != "http://gateway.example" {
		t.Errorf("expected the base address as the target, found %q", target)
	}
}
