package module

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"

	"github.com/grafana/sobek"
	"go.k6.io/k6/v2/js/common"
	"go.k6.io/k6/v2/lib"
	"go.k6.io/k6/v2/lib/netext/httpext"

	"weighbridge.dev/xk6/call"
	"weighbridge.dev/xk6/outcome"
	"weighbridge.dev/xk6/wire"
)

// client is the Go side of a JavaScript Client.
type client struct {
	instance *instance
	root     *url.URL
	v1       *url.URL // nil for that under the root
	heads    call.Heads
	timeouts call.Timeouts
	// prepared is the transport of the virtual user after its first call.
	prepared http.RoundTripper
}

func clientOf(i *instance, value sobek.Value) (*client, error) {
	var options clientOptions
	switch {
	case !common.IsNullish(value):
		if err := i.vu.Runtime().ExportTo(value, &options); err != nil {
			return nil, fmt.Errorf("new Client: %w", err)
		}
	case i.run.Plan != nil:
		options = clientOptions{Root: i.run.Plan.Root, Timeouts: callTimeouts(i.run.Plan.Workload.Timeouts)}
	default:
		return nil, errors.New("new Client: expected {root, timeouts}, or WEIGHBRIDGE_PLAN to take them from")
	}
	root, err := url.Parse(strings.TrimRight(options.Root, "/"))
	if err != nil || root.Host == "" || root.Scheme != "http" && root.Scheme != "https" {
		return nil, fmt.Errorf("new Client: root: expected an http or https URL, found %q", options.Root)
	}
	timeouts, err := options.Timeouts.durations()
	if err != nil {
		return nil, fmt.Errorf("new Client: %w", err)
	}
	if !i.run.MayCall() {
		return nil, errors.New("new Client: no API key: set WEIGHBRIDGE_API_KEY or WEIGHBRIDGE_API_KEY_FILE")
	}
	c := &client{instance: i, root: root, timeouts: timeouts}
	if i.run.Plan != nil && common.IsNullish(value) && i.run.Plan.V1 != "" {
		if c.v1, err = url.Parse(strings.TrimRight(i.run.Plan.V1, "/")); err != nil {
			return nil, fmt.Errorf("plan: target.v1: %w", err)
		}
	}
	return c, nil
}

func (c *client) stream(value sobek.Value) *sobek.Promise { return c.make(value, "", true) }

func (c *client) call(value sobek.Value) *sobek.Promise { return c.make(value, "", false) }

func (c *client) download(value sobek.Value) *sobek.Promise { return c.make(value, "download", false) }

// make makes one call; kind is that of a request that names none.
func (c *client) make(value sobek.Value, kind string, stream bool) *sobek.Promise {
	return c.start(value, func(ctx context.Context, caller *call.Caller, r *request) (*call.Result, error) {
		req, err := c.request(r, kind, stream)
		if err != nil {
			return nil, err
		}
		return caller.Call(ctx, req)
	})
}

func (c *client) request(r *request, kind string, stream bool) (*call.Request, error) {
	req, err := r.request(kind, stream)
	if err != nil {
		return nil, err
	}
	if c.instance.run.Plan == nil {
		return req, nil
	}
	req.FinishEnds = c.instance.run.Plan.FinishEnds && wire.EndsWithDone(req.Kind)
	if req.Marker == "" {
		return req, nil
	}
	req.NextMarker = c.instance.marker
	if r.planned != nil && r.planned.call.CallID != req.CallID {
		own := req.NextMarker(req.CallID)
		req.Body = bytes.ReplaceAll(req.Body, []byte(req.Marker), []byte(own))
		req.Marker = own
	}
	return req, nil
}

func (c *client) poll(value sobek.Value) *sobek.Promise {
	return c.start(value, func(ctx context.Context, caller *call.Caller, r *request) (*call.Result, error) {
		req, err := c.request(r, "", false)
		if err != nil {
			return nil, err
		}
		task, err := r.taskOf()
		if err != nil {
			return nil, err
		}
		return caller.Poll(ctx, req, task)
	})
}

type operation func(context.Context, *call.Caller, *request) (*call.Result, error)

// start runs an operation beside the event loop. The callback is given back exactly once, whatever happens, and the
// samples are pushed before that: k6 closes their channel only when no callback is outstanding.
func (c *client) start(value sobek.Value, run operation) *sobek.Promise {
	rt := c.instance.vu.Runtime()
	state := c.instance.vu.State()
	if state == nil {
		common.Throw(rt, common.NewInitContextError("calls need a virtual user: make them in an iteration"))
	}
	promise, resolve, reject := rt.NewPromise()
	parsed, err := parse(rt, value)
	if err != nil {
		_ = reject(rt.NewGoError(fmt.Errorf("malformed request: %w", err)))
		return promise
	}
	// The context, tags and scenario change with the iteration: they are taken here, on the event loop.
	ctx := c.instance.vu.Context()
	caller, flush := c.caller(ctx, state, parsed.n)
	callback := c.instance.vu.RegisterCallback()
	go func() {
		result, err := guarded(ctx, caller, parsed, run)
		flush()
		callback(func() error {
			if err != nil {
				return reject(rt.NewGoError(scrubbed{c.instance.run.Key.Prose(err.Error())}))
			}
			return resolve(objectOf(rt, result))
		})
	}()
	return promise
}

func guarded(ctx context.Context, caller *call.Caller, r *request, run operation) (result *call.Result, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("panic in the client: %v", fault)
		}
	}()
	return run(ctx, caller, r)
}

type scrubbed struct{ text string }

func (s scrubbed) Error() string { return s.text }

// caller makes the call's surroundings; n is the number of its start, where the script says it; flush pushes its
// samples as one container.
func (c *client) caller(ctx context.Context, state *lib.State, n *int64) (*call.Caller, func()) {
	tags := state.Tags.GetCurrentValues()
	own := &callSamples{metrics: c.instance.metrics, tags: tags, runTags: state.Options.RunTags}
	caller := &call.Caller{
		Run: c.instance.run, Root: c.root, V1: c.v1, Heads: &c.heads, Timeouts: c.timeouts, Transport: c.transport(state), VU: state.VUID,
		Observe: own.add,
		Trace: func(method string) (*httptrace.ClientTrace, call.Done) {
			tracer := &httpext.Tracer{}
			return tracer.Trace(), func(response *http.Response, o outcome.Outcome, err error) {
				own.addTrail(tracer, state, method, ending{response, o, err})
			}
		},
	}
	if scenario := lib.GetScenarioState(ctx); scenario != nil {
		caller.Scenario = scenario.Name
	}
	switch {
	case n != nil: // of a pool, which makes many starts in one iteration
		caller.Iteration = n
	case state.GetScenarioGlobalVUIter != nil:
		iteration := int64(state.GetScenarioGlobalVUIter())
		caller.Iteration = &iteration
	}
	if state.RPSLimit != nil {
		caller.Wait = state.RPSLimit.Wait
	}
	return caller, func() {
		if samples := own.all(); len(samples) > 0 {
			state.Samples <- samples
		}
	}
}
