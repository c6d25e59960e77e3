package module

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"weighbridge.dev/xk6/call"
	"weighbridge.dev/xk6/ledger"
	"weighbridge.dev/xk6/traffic"
)

// request is CallRequest and TaskRequest of the d.ts file.
type request struct {
	planned     *plannedObject
	callID      string
	logicalID   string
	attempt     *int64
	n           *int64
	keepText    bool
	stopAfter   *stopAfter
	kind        string
	method      string
	path        string
	history     []message
	headers     map[string]string
	body        []byte // nil for none
	multipart   []multipartField
	auth        string
	model       *string
	maxTokens   *int64
	promptBytes *int64
	units       *units
	expect      string
	task        *task

	adapt     func(*call.Request, string) ([]byte, []string)
	turn      *int
	marker    string
	watermark *int64
}

// adopt takes what the request does not say itself from the planned call that it names.
func (r *request) adopt() {
	c := &r.planned.call
	attempt := int64(1)
	if r.attempt != nil {
		attempt = *r.attempt
	}
	if r.callID = c.CallID; attempt != 1 {
		r.callID = strings.TrimSuffix(c.CallID, "1") + strconv.FormatInt(attempt, 10)
	}
	r.logicalID, r.n, r.marker, r.watermark = c.LogicalID, &r.planned.n, c.Marker, c.Watermark
	if r.model == nil {
		r.model = &c.Model
	}
	if r.auth == "" {
		r.auth = c.Auth
	}
	if r.maxTokens == nil {
		r.maxTokens = c.MaxTokens
	}
	if r.stopAfter == nil {
		r.stopAfter = stopOf(c.Abort)
	}
	if c.Turn != nil {
		turn := int(*c.Turn)
		r.turn = &turn
	}
	if r.kind == "" {
		r.kind = c.Kind
	}
	if r.promptBytes == nil {
		bytes := int64(len(c.Prompt)) + c.Members.Bytes()
		r.promptBytes = &bytes
	}
}

// message is a Message of the d.ts file.
type message struct {
	Role    string `js:"role"`
	Content string `js:"content"`
}

// writeText puts a planned text call on the wire where the script has not done so itself.
func (r *request) writeText(stream bool) error {
	if r.path != "" {
		if r.history != nil {
			return errors.New("history: belongs to a planned text call that says no path and no body of its own")
		}
		return nil
	}
	if r.planned == nil || r.body != nil || r.multipart != nil {
		return errors.New("path: must not be empty, but where a planned text call is named and nothing is said of its body")
	}
	history := make([]traffic.Message, 0, len(r.history))
	for _, m := range r.history {
		history = append(history, traffic.Message(m))
	}
	text, err := r.planned.call.Request(stream, history)
	if err != nil {
		return err
	}
	r.path, r.body, r.promptBytes = text.Path, text.Body, &text.PromptBytes
	r.adapt = func(req *call.Request, message string) ([]byte, []string) {
		planned := &r.planned.call
		if !planned.Manner.Learn(message) {
			return nil, nil
		}
		again, err := planned.Request(stream, history)
		if err != nil {
			return nil, nil
		}
		return bytes.ReplaceAll(again.Body, []byte(planned.Marker), []byte(req.Marker)), planned.Manner.Learnt()
	}
	if text.Header != nil && r.headers == nil {
		r.headers = text.Header
	}
	return nil
}

type units struct {
	Images     *int64   `js:"images"`
	Size       *string  `js:"size"`
	Quality    *string  `js:"quality"`
	Seconds    *float64 `js:"seconds"`
	Resolution *string  `js:"resolution"`
}

type task struct {
	IDField    string  `js:"id_field"`
	StatusPath string  `js:"status_path"`
	ResultPath string  `js:"result_path"`
	ResultKind string  `js:"result_kind"`
	First      float64 `js:"first_ms"`
	Factor     float64 `js:"factor"`
	Max        float64 `js:"max_ms"`
}

// request checks what the script passed; kind replaces an empty one.
func (r *request) request(kind string, stream bool) (*call.Request, error) {
	if r.kind == "" {
		r.kind = kind
	}
	if !call.Paid(r.kind) && r.kind != "read" && r.kind != "download" {
		return nil, fmt.Errorf("kind: expected a paid kind, read or download, found %q", r.kind)
	}
	if r.callID == "" || r.logicalID == "" {
		return nil, errors.New("call_id and logical_id must not be empty")
	}
	if err := r.writeText(stream); err != nil {
		return nil, err
	}
	out := &call.Request{
		CallID: r.callID, LogicalID: r.logicalID, Attempt: 1, Kind: r.kind, Method: strings.ToUpper(r.method), Path: r.path,
		Auth: call.Auth(r.auth), Model: r.model, MaxTokens: r.maxTokens,
		PromptBytes: r.promptBytes, Expect: call.Expect(r.expect), Stream: stream,
		KeepText: r.keepText, Marker: r.marker, Watermark: r.watermark, Turn: r.turn, Adapt: r.adapt,
	}
	if r.attempt != nil {
		out.Attempt = int(*r.attempt)
	}
	stop, err := r.stopAfter.checked()
	if err != nil {
		return nil, err
	}
	out.StopAfter = stop
	if out.Method == "" {
		out.Method = http.MethodGet
		if call.Paid(r.kind) {
			out.Method = http.MethodPost
		}
	}
	switch out.Auth {
	case "":
		out.Auth = call.Bearer
	case call.Bearer, call.XAPIKey, call.NoAuth:
	default:
		return nil, fmt.Errorf("auth: expected bearer, x-api-key or none, found %q", r.auth)
	}
	switch out.Expect {
	case call.ExpectNone, call.ExpectJSON, call.ExpectImage, call.ExpectMP4, call.ExpectBytes:
	default:
		return nil, fmt.Errorf("expect: expected json, image, mp4 or bytes, found %q", r.expect)
	}
	if len(r.headers) > 0 {
		out.Header = make(http.Header, len(r.headers))
	}
	for name, value := range r.headers {
		out.Header.Set(name, value)
	}
	if r.units != nil {
		units := ledger.Units(*r.units)
		out.Units = &units
	}
	return out, r.fillBody(out)
}

func (r *request) taskOf() (call.Task, error) {
	t := r.task
	if t == nil {
		return call.Task{}, errors.New("task: missing")
	}
	switch {
	case t.IDField != "job_id" && t.IDField != "id":
		return call.Task{}, fmt.Errorf("task.id_field: expected job_id or id, found %q", t.IDField)
	case !strings.Contains(t.StatusPath, "{id}") || !strings.Contains(t.ResultPath, "{id}"):
		return call.Task{}, errors.New("task.status_path and task.result_path must hold {id}")
	case t.ResultKind != "result" && t.ResultKind != "download":
		return call.Task{}, fmt.Errorf("task.result_kind: expected result or download, found %q", t.ResultKind)
	case t.First <= 0 || t.Factor < 1 || t.Max < t.First:
		return call.Task{}, errors.New("task: expected first_ms > 0, factor >= 1 and max_ms >= first_ms")
	}
	return call.Task{
		IDField: t.IDField, StatusPath: t.StatusPath, ResultPath: t.ResultPath, ResultKind: t.ResultKind,
		First: duration(t.First), Factor: t.Factor, Max: duration(t.Max),
	}, nil
}
