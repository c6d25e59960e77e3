package module

import (
	"net/http"
	"strconv"

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

// trailSamples are k6's own http_req_* of one exchange, with k6's tags. The URL stays out: task ids would make a
// series each.
func trailSamples(
	tracer *httpext.Tracer, state *lib.State, tags metrics.TagsAndMeta, req *http.Request, end ending,
) []metrics.Sample {
	trail := tracer.Done()
	own := metrics.TagsAndMeta{Tags: tags.Tags, Metadata: tags.Metadata} // none of these tags is metadata
	tag := func(name metrics.SystemTag, value string) {
		own.SetSystemTagOrMetaIfEnabled(state.Options.SystemTags, name, value)
	}
	tag(metrics.TagMethod, req.Method)
	status := 0
	if end.response != nil {
		status = end.response.StatusCode
		tag(metrics.TagProto, end.response.Proto)
		if end.response.TLS != nil {
			info, ocsp := netext.ParseTLSConnState(end.response.TLS)
			tag(metrics.TagTLSVersion, info.Version)
			tag(metrics.TagOCSPStatus, ocsp.Status)
		}
	}
	tag(metrics.TagStatus, strconv.Itoa(status))
	expected := end.err == nil && status >= 200 && status < 400
	tag(metrics.TagExpectedResponse, strconv.FormatBool(expected))
	switch {
	case end.err != nil:
		code := errorCodeOf(end.outcome, end.err)
		tag(metrics.TagError, code.text)
		tag(metrics.TagErrorCode, strconv.Itoa(code.number))
	case status >= 400:
		tag(metrics.TagErrorCode, strconv.Itoa(1000+status))
	}
	trail.SaveSamples(state.BuiltinMetrics, &own)
	return append(trail.Samples, metrics.Sample{
		TimeSeries: metrics.TimeSeries{Metric: state.BuiltinMetrics.HTTPReqFailed, Tags: own.Tags},
		Time:       trail.EndTime, Metadata: own.Metadata, Value: metrics.B(!expected),
	})
}
