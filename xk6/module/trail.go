package module

import (
	"net/http"

	"go.k6.io/k6/v2/lib"
	"go.k6.io/k6/v2/lib/netext"
	"go.k6.io/k6/v2/lib/netext/httpext"
	"go.k6.io/k6/v2/metrics"

	"weighbridge.dev/xk6/outcome"
)

// ending is how an exchange ended.
type ending struct {
	response *http.Response // nil where no answer came
	outcome  outcome.Outcome
	err      error // what cut the connection or the body
}

// addTrail adds k6's own http_req_* of one exchange, with k6's tags. The URL stays out: task ids would make a series
// each.
func (c *callSamples) addTrail(tracer *httpext.Tracer, state *lib.State, method string, end ending) {
	c.addTimes(tracer.Done(), state, method, end)
}

func (c *callSamples) addTimes(trail *httpext.Trail, state *lib.State, method string, end ending) {
	key := exchangeTags{base: c.tags.Tags, enabled: state.Options.SystemTags, method: method}
	if end.response != nil {
		key.status, key.proto = end.response.StatusCode, end.response.Proto
		if end.response.TLS != nil {
			info, ocsp := netext.ParseTLSConnState(end.response.TLS)
			key.tlsVersion, key.ocsp = info.Version, ocsp.Status
		}
	}
	key.expected = end.err == nil && key.status >= 200 && key.status < 400
	switch {
	case end.err != nil:
		key.failure = errorCodeOf(end.outcome, end.err)
	case key.status >= 400:
		key.failure.number = 1000 + key.status
	}
	own := metrics.TagsAndMeta{Tags: c.metrics.tagSets.ofExchange(key), Metadata: c.tags.Metadata}
	trail.SaveSamples(state.BuiltinMetrics, &own)
	c.rows = append(append(c.room(), trail.Samples...), metrics.Sample{
		TimeSeries: metrics.TimeSeries{Metric: state.BuiltinMetrics.HTTPReqFailed, Tags: own.Tags},
		Time:       trail.EndTime, Metadata: own.Metadata, Value: metrics.B(!key.expected),
	})
}
