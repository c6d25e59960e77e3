package module

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/grafana/sobek"
	"go.k6.io/k6/v2/js/common"

	"weighbridge.dev/xk6/call"
	"weighbridge.dev/xk6/traffic"
)

// aloneTimeouts are those of src/config/defaults.ts.
var aloneTimeouts = call.Timeouts{
	Connect: 10 * time.Second, Headers: 2 * time.Minute, FirstToken: time.Minute, Idle: time.Minute, Total: 5 * time.Minute,
}

// aloneCall is AloneRequest of the d.ts file.
type aloneCall struct {
	url, model, prompt string
	maxTokens          *int64
	stream             bool
	timeout            *int64 // ms
	headers            map[string]string
	body               map[string]json.RawMessage
}

var errAloneInPlan = errors.New("WEIGHBRIDGE_PLAN is set, but this call is not in the plan: the spend cap would not count it, and no ledger would have it. " +
	"Make it with a Client, or run the script without the plan")

// alone makes a call of a kind that no plan knows: without ids, ledger and cap. It returns when the call is over, as the
// calls of k6/http do, and throws on misuse alone.
func (i *instance) alone(kind string) func(sobek.FunctionCall) sobek.Value {
	return func(arguments sobek.FunctionCall) sobek.Value {
		result, err := i.makeAlone(kind, arguments.Argument(0))
		if err != nil {
			common.Throw(i.vu.Runtime(), scrubbed{i.run.Key.Prose(fmt.Sprintf("%s: %s", kind, err))})
		}
		return aloneObject(i.vu.Runtime(), result)
	}
}

func (i *instance) makeAlone(kind string, value sobek.Value) (*call.Result, error) {
	state := i.vu.State()
	if state == nil {
		return nil, errors.New("calls need a virtual user: make them in an iteration")
	}
	if i.run.Plan != nil {
		return nil, errAloneInPlan
	}
	a, err := parseAlone(i.vu.Runtime(), value)
	if err != nil {
		return nil, err
	}
	req, err := a.request(kind, i.run.Key.Present())
	if err != nil {
		return nil, err
	}
	c, err := i.aloneClient(a)
	if err != nil {
		return nil, err
	}
	ctx := i.vu.Context()
	caller, flush := c.caller(ctx, state, nil)
	caller.Alone = true
	defer flush()
	return caller.Call(ctx, req)
}

// aloneClient is that of the call before, where it goes to the same address.
func (i *instance) aloneClient(a *aloneCall) (*client, error) {
	root, err := url.Parse(strings.TrimRight(a.url, "/"))
	if err != nil || root.Host == "" || root.Scheme != "http" && root.Scheme != "https" {
		return nil, fmt.Errorf("url: expected an address such as http://127.0.0.1:8000/v1, found %q", a.url)
	}
	if root.Path == "" {
		root.Path = "/v1"
	}
	if i.last == nil || *i.last.root != *root {
		i.last = &client{instance: i, root: root}
	}
	i.last.timeouts = aloneTimeouts
	if a.timeout != nil {
		i.last.timeouts.Total = time.Duration(*a.timeout) * time.Millisecond
	}
	return i.last, nil
}

func parseAlone(rt *sobek.Runtime, value sobek.Value) (*aloneCall, error) {
	object, is := value.(*sobek.Object)
	if !is {
		return nil, errors.New("expected an object such as {url, model, prompt}")
	}
	a, p := &aloneCall{}, &parser{rt: rt}
	for _, name := range object.Keys() {
		member := object.Get(name)
		if common.IsNullish(member) {
			continue
		}
		if a.member(p, name, member); p.err != nil {
			return nil, p.err
		}
	}
	switch {
	case a.url == "":
		return nil, errors.New("url: expected an address such as http://127.0.0.1:8000/v1, found nothing")
	case a.model == "":
		return nil, errors.New("model: expected a model of the server, found nothing")
	case a.prompt == "" && a.body["messages"] == nil && a.body["input"] == nil:
		return nil, errors.New("prompt: expected a text, found nothing: neither here nor as messages or input of body")
	case a.timeout != nil && *a.timeout <= 0:
		return nil, fmt.Errorf("timeoutMs: expected a number above 0, found %d", *a.timeout)
	}
	return a, nil
}

func (a *aloneCall) member(p *parser, name string, value sobek.Value) {
	switch name {
	case "url":
		a.url = p.text(name, value)
	case "model":
		a.model = p.text(name, value)
	case "prompt":
		a.prompt = p.text(name, value)
	case "maxTokens":
		a.maxTokens = p.whole(name, value)
	case "stream":
		a.stream = p.flag(name, value)
	case "timeoutMs":
		a.timeout = p.whole(name, value)
	case "headers":
		p.into(name, value, &a.headers)
	case "body":
		if text := p.body(value, nil); p.err == nil && json.Unmarshal(text, &a.body) != nil {
			p.fail(name, "an object", value)
		}
	default:
		p.err = fmt.Errorf("a call has no member %q: what the server should get beside these goes into body", name)
	}
}

// request puts the call on the wire of its kind. A header of the script's own that carries a credential stands for the key.
func (a *aloneCall) request(kind string, hasKey bool) (*call.Request, error) {
	planned := traffic.Call{Kind: kind, Model: a.model, Prompt: a.prompt, MaxTokens: a.maxTokens}
	text, err := planned.Request(a.stream, nil)
	if err != nil {
		return nil, fmt.Errorf("maxTokens: %w", err)
	}
	body, err := merged(text.Body, a.body)
	if err != nil {
		return nil, err
	}
	req := &call.Request{
		Attempt: 1, Kind: kind, Method: http.MethodPost, Path: strings.TrimPrefix(text.Path, "/v1"), Header: http.Header{},
		Body: body, ContentType: "application/json", Auth: call.Bearer, Model: &a.model, MaxTokens: a.maxTokens,
		Stream: a.stream, KeepText: true,
	}
	if kind == "messages" {
		req.Auth = call.XAPIKey
	}
	for _, headers := range []map[string]string{text.Header, a.headers} {
		for name, value := range headers {
			req.Header.Set(name, value)
		}
	}
	if !hasKey || req.Header.Get("Authorization") != "" || req.Header.Get("X-Api-Key") != "" {
		req.Auth = call.NoAuth
	}
	return req, nil
}

// merged lays the members of a script's body over those of ours; null takes one away.
func merged(ours []byte, own map[string]json.RawMessage) ([]byte, error) {
	if len(own) == 0 {
		return ours, nil
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(ours, &members); err != nil {
		return nil, err
	}
	for name, value := range own {
		if string(value) == "null" {
			delete(members, name)
		} else {
			members[name] = value
		}
	}
	return json.Marshal(members)
}
