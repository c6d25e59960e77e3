package module

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"go.k6.io/k6/v2/lib"
	"go.k6.io/k6/v2/lib/netext/httpext"
	"go.k6.io/k6/v2/metrics"

	"weighbridge.dev/xk6/outcome"
)

// Our samples of an exchange are k6's own, of the same metrics with the same values and tags, and whether it failed.
func TestTheSamplesOfAnExchangeAreThoseOfK6(t *testing.T) {
	registry := metrics.NewRegistry()
	builtin := metrics.RegisterBuiltinMetrics(registry)
	tags := metrics.TagsAndMeta{
		Tags: registry.RootTagSet().With("scenario", "s"), Metadata: map[string]string{"own": "1"},
	}
	state := &lib.State{BuiltinMetrics: builtin}
	state.Options.SystemTags = &metrics.DefaultSystemTagSet
	trail := func() *httpext.Trail {
		return &httpext.Trail{
			EndTime: time.Unix(1, 2), Duration: 1e6, Blocked: 2e6, Connecting: 3e6, TLSHandshaking: 4e6, Sending: 5e6,
			Waiting: 6e6, Receiving: 7e6,
		}
	}
	for name, c := range map[string]struct {
		end    ending
		tags   map[string]string
		failed float64
	}{
		"an answer": {
			ending{response: &http.Response{StatusCode: 200, Proto: "HTTP/1.1"}},
			map[string]string{"method": "POST", "status": "200", "proto": "HTTP/1.1", "expected_response": "true"}, 0,
		},
		"a refusal": {
			ending{response: &http.Response{StatusCode: 503, Proto: "HTTP/1.1"}, outcome: outcome.HttpError},
			map[string]string{
				"method": "POST", "status": "503", "proto": "HTTP/1.1", "expected_response": "false", "error_code": "1503",
			}, 1,
		},
		"none": {
			ending{outcome: outcome.NetError, err: errors.New("x")},
			map[string]string{
				"method": "POST", "status": "0", "expected_response": "false", "error": "request failed", "error_code": "1000",
			}, 1,
		},
	} {
		for range 2 { // the second time the set of tags is remembered
			own := &callSamples{metrics: &loadMetrics{}, tags: tags}
			own.addTimes(trail(), state, "POST", c.end)
			set := tags.Tags.WithTagsFromMap(c.tags)
			theirs := trail()
			theirs.SaveSamples(builtin, &metrics.TagsAndMeta{Tags: set, Metadata: tags.Metadata})
			want := append(theirs.Samples, metrics.Sample{
				TimeSeries: metrics.TimeSeries{Metric: builtin.HTTPReqFailed, Tags: set}, Time: theirs.EndTime, Value: c.failed,
			})
			if len(own.rows) != len(want) {
				t.Fatalf("%s: %d samples, k6 has %d", name, len(own.rows), len(want))
			}
			for i, sample := range own.rows {
				if sample.TimeSeries != want[i].TimeSeries || sample.Value != want[i].Value || !sample.Time.Equal(want[i].Time) ||
					sample.Metadata["own"] != "1" {
					t.Errorf("%s: %s %v of %v, k6 has %s %v of %v", name, sample.Metric.Name, sample.Value, sample.Tags.Map(),
						want[i].Metric.Name, want[i].Value, want[i].Tags.Map())
				}
			}
		}
	}
}
