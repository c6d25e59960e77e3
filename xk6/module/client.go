package module

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strconv"
	"strings"

	"github.com/grafana/sobek"
	"go.k6.io/k6/v2/js/common"
	"go.k6.io/k6/v2/lib"
	"go.k6.io/k6/v2/lib/netext/httpext"
	"go.k6.io/k6/v2/metrics"

	"weighbridge.dev/xk6/call"
	"weighbridge.dev/xk6/ledger"
)

// client is the Go side of a JavaScript Client.
type client struct {
	instance *instance
	root     *url.URL
	timeouts call.Timeouts
}

func clientOf(i *instance, value sobek.Value) (*client, error) {
	var options clientOptions
	if common.IsNullish(value) {
		return nil, errors.New("new Client: expected {root, timeouts}")
	}
	if err := i.vu.Runtime().ExportTo(value, &options); err != nil {
		return nil, fmt.Errorf("new Client: %w", err)
	}
	root, err := url.Parse(strings.TrimRight(options.Root, "/"))
	if err != nil || root.Host == "" || root.Scheme != "http" && root.Scheme != "https" {
		return nil, fmt.Errorf("new Client: root: expected an http or https URL, found %q", options.Root)
	}
	timeouts, err := options.Timeouts.durations()
	if err != nil {
		return nil, fmt.Errorf("new Client: %w", err)
	}
	if !i.run.Key.Present() {
		return nil, errors.New("new Client: no API key: set WEIGHBRIDGE_API_KEY or WEIGHBRIDGE_API_KEY_FILE")
	}
	return &client{instance: i, root: root, timeouts: timeouts}, nil
}

func (c *client) stream(value sobek.Value) *sobek.Promise {
	return c.start(value, func(ctx context.Context, caller *call.Caller, r *request) (call.Result, error) {
		req, err := r.request("", true)
		if err != nil {
			return call.Result{}, err
		}
		return caller.Call(ctx, req)
	})
}

func (c *client) call(value sobek.Value) *sobek.Promise {
	return c.start(value, func(ctx context.Context, caller *call.Caller, r *request) (call.Result, error) {
		req, err := r.request("", false)
		if err != nil {
			return call.Result{}, err
		}
		return caller.Call(ctx, req)
	})
}

func (c *client) download(value sobek.Value) *sobek.Promise {
	return c.start(value, func(ctx context.Context, caller *call.Caller, r *request) (call.Result, error) {
		req, err := r.request("download", false)
		if err != nil {
			return call.Result{}, err
		}
		return caller.Call(ctx, req)
	})
}

func (c *client) poll(value sobek.Value) *sobek.Promise {
	return c.start(value, func(ctx context.Context, caller *call.Caller, r *request) (call.Result, error) {
		req, err := r.request("", false)
		if err != nil {
			return call.Result{}, err
		}
		task, err := r.taskOf()
		if err != nil {
			return call.Result{}, err
		}
		return caller.Poll(ctx, req, task)
	})
}

type operation func(context.Context, *call.Caller, *request) (call.Result, error)

// start runs an operation beside the event loop. The callback is given back exactly once, whatever happens, and the
// samples are pushed before that: k6 closes their channel only when no callback is outstanding.
func (c *client) start(value sobek.Value, run operation) *sobek.Promise {
	rt := c.instance.vu.Runtime()
	state := c.instance.vu.State()
	if state == nil {
		common.Throw(rt, common.NewInitContextError("calls need a virtual user: make them in an iteration"))
	}
	promise, resolve, reject := rt.NewPromise()
	var parsed request
	if common.IsNullish(value) {
		_ = reject(rt.NewGoError(errors.New("expected a request object")))
		return promise
	}
	if err := rt.ExportTo(value, &parsed); err != nil {
		_ = reject(rt.NewGoError(fmt.Errorf("malformed request: %w", err)))
		return promise
	}
	// The context, tags and scenario change with the iteration: they are taken here, on the event loop.
	ctx := c.instance.vu.Context()
	caller, flush := c.caller(ctx, state)
	callback := c.instance.vu.RegisterCallback()
	go func() {
		result, err := guarded(ctx, caller, &parsed, run)
		flush()
		callback(func() error {
			if err != nil {
				return reject(rt.NewGoError(scrubbed{c.instance.run.Key.Scrub(err.Error())}))
			}
			return resolve(objectOf(rt, result))
		})
	}()
	return promise
}

func guarded(ctx context.Context, caller *call.Caller, r *request, run operation) (result call.Result, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("panic in the client: %v", fault)
		}
	}()
	return run(ctx, caller, r)
}

type scrubbed struct{ text string }

func (s scrubbed) Error() string { return s.text }

// caller makes the call's surroundings; flush pushes its samples as one container.
func (c *client) caller(ctx context.Context, state *lib.State) (*call.Caller, func()) {
	tags := state.Tags.GetCurrentValues()
	var samples metrics.Samples
	caller := &call.Caller{
		Run: c.instance.run, Root: c.root, Timeouts: c.timeouts, Transport: state.Transport, VU: state.VUID,
		Observe: func(row ledger.Row) { samples = append(samples, c.instance.metrics.samplesOf(row, tags)...) },
		Trace: func(req *http.Request) (*httptrace.ClientTrace, func(int)) {
			tracer := &httpext.Tracer{}
			return tracer.Trace(), func(status int) {
				samples = append(samples, trailSamples(tracer, state, tags, req, status)...)
			}
		},
	}
	if scenario := lib.GetScenarioState(ctx); scenario != nil {
		caller.Scenario = scenario.Name
	}
	if state.GetScenarioGlobalVUIter != nil {
		iteration := int64(state.GetScenarioGlobalVUIter())
		caller.Iteration = &iteration
	}
	if state.RPSLimit != nil {
		caller.Wait = state.RPSLimit.Wait
	}
	return caller, func() {
		if len(samples) > 0 {
			state.Samples <- samples
		}
	}
}

// trailSamples are k6's own http_req_* of one exchange. The URL stays out: task ids would make a series each.
func trailSamples(tracer *httpext.Tracer, state *lib.State, tags metrics.TagsAndMeta, req *http.Request, status int) []metrics.Sample {
	enabled := state.Options.SystemTags
	own := metrics.TagsAndMeta{Tags: tags.Tags, Metadata: tags.Metadata}
	own.SetSystemTagOrMetaIfEnabled(enabled, metrics.TagMethod, req.Method)
	own.SetSystemTagOrMetaIfEnabled(enabled, metrics.TagStatus, strconv.Itoa(status))
	trail := tracer.Done()
	trail.SaveSamples(state.BuiltinMetrics, &own)
	return append(trail.Samples, metrics.Sample{
		TimeSeries: metrics.TimeSeries{Metric: state.BuiltinMetrics.HTTPReqFailed, Tags: own.Tags},
		Time:       trail.EndTime, Metadata: own.Metadata, Value: metrics.B(status >= 400),
	})
}
