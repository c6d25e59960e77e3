package module

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"strings"
	"time"

	"weighbridge.dev/xk6/call"
	"weighbridge.dev/xk6/ledger"
)

type clientOptions struct {
	Root     string       `js:"root"`
	Timeouts callTimeouts `js:"timeouts"`
}

type callTimeouts struct {
	Connect    float64 `js:"connect_ms"`
	Headers    float64 `js:"headers_ms"`
	FirstToken float64 `js:"first_token_ms"`
	Idle       float64 `js:"idle_ms"`
	Total      float64 `js:"total_ms"`
	Task       float64 `js:"task_ms"`
}

func (t callTimeouts) durations() (call.Timeouts, error) {
	for name, ms := range map[string]float64{
		"connect_ms": t.Connect, "headers_ms": t.Headers, "first_token_ms": t.FirstToken,
		"idle_ms": t.Idle, "total_ms": t.Total, "task_ms": t.Task,
	} {
		if ms <= 0 {
			return call.Timeouts{}, fmt.Errorf("timeouts.%s: expected a number above 0, found %v", name, ms)
		}
	}
	return call.Timeouts{
		Connect: duration(t.Connect), Headers: duration(t.Headers), FirstToken: duration(t.FirstToken),
		Idle: duration(t.Idle), Total: duration(t.Total), Task: duration(t.Task),
	}, nil
}

func duration(ms float64) time.Duration { return time.Duration(ms * float64(time.Millisecond)) }

// request is CallRequest and TaskRequest of the d.ts file.
type request struct {
	CallID      string            `js:"call_id"`
	LogicalID   string            `js:"logical_id"`
	Attempt     *int64            `js:"attempt"`
	Kind        string            `js:"kind"`
	Method      string            `js:"method"`
	Path        string            `js:"path"`
	Headers     map[string]string `js:"headers"`
	Body        *string           `js:"body"`
	Multipart   []multipartField  `js:"multipart"`
	Auth        string            `js:"auth"`
	Model       *string           `js:"model"`
	MaxTokens   *int64            `js:"max_tokens"`
	PromptBytes *int64            `js:"prompt_bytes"`
	Units       *units            `js:"units"`
	Expect      string            `js:"expect"`
	Task        *task             `js:"task"`
}

type units struct {
	Images     *int64   `js:"images"`
	Size       *string  `js:"size"`
	Quality    *string  `js:"quality"`
	Seconds    *float64 `js:"seconds"`
	Resolution *string  `js:"resolution"`
}

type multipartField struct {
	Name  string         `js:"name"`
	Value *string        `js:"value"`
	File  *multipartFile `js:"file"`
}

type multipartFile struct {
	Filename    string `js:"filename"`
	ContentType string `js:"content_type"`
	Base64      string `js:"base64"`
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
	if r.Kind == "" {
		r.Kind = kind
	}
	if !call.Paid(r.Kind) && r.Kind != "read" && r.Kind != "download" {
		return nil, fmt.Errorf("kind: expected a paid kind, read or download, found %q", r.Kind)
	}
	if r.CallID == "" || r.LogicalID == "" || r.Path == "" {
		return nil, errors.New("call_id, logical_id and path must not be empty")
	}
	out := &call.Request{
		CallID: r.CallID, LogicalID: r.LogicalID, Attempt: 1, Kind: r.Kind, Method: strings.ToUpper(r.Method), Path: r.Path,
		Header: http.Header{}, Auth: call.Auth(r.Auth), Model: r.Model, MaxTokens: r.MaxTokens,
		PromptBytes: r.PromptBytes, Expect: call.Expect(r.Expect), Stream: stream,
	}
	if r.Attempt != nil {
		out.Attempt = int(*r.Attempt)
	}
	if out.Method == "" {
		out.Method = http.MethodGet
		if call.Paid(r.Kind) {
			out.Method = http.MethodPost
		}
	}
	switch out.Auth {
	case "":
		out.Auth = call.Bearer
	case call.Bearer, call.XAPIKey, call.NoAuth:
	default:
		return nil, fmt.Errorf("auth: expected bearer, x-api-key or none, found %q", r.Auth)
	}
	switch out.Expect {
	case call.ExpectNone, call.ExpectJSON, call.ExpectImage, call.ExpectMP4, call.ExpectBytes:
	default:
		return nil, fmt.Errorf("expect: expected json, image, mp4 or bytes, found %q", r.Expect)
	}
	for name, value := range r.Headers {
		out.Header.Set(name, value)
	}
	if r.Units != nil {
		units := ledger.Units(*r.Units)
		out.Units = &units
	}
	return out, r.fillBody(out)
}

func (r *request) fillBody(out *call.Request) error {
	switch {
	case r.Body != nil && r.Multipart != nil:
		return errors.New("expected body or multipart, found both")
	case r.Body != nil:
		out.Body, out.ContentType = []byte(*r.Body), "application/json"
	case r.Multipart != nil:
		body, contentType, err := encodeMultipart(r.Multipart)
		if err != nil {
			return err
		}
		out.Body, out.ContentType = body, contentType
		out.Header.Del("Content-Type") // the boundary is ours
	}
	return nil
}

var quoteEscaper = strings.NewReplacer("\\", "\\\\", `"`, "\\\"", "\r", "%0D", "\n", "%0A")

func encodeMultipart(fields []multipartField) ([]byte, string, error) {
	var body bytes.Buffer
	writer := multipart.NewWriter(&body)
	for _, field := range fields {
		switch {
		case field.File != nil:
			content, err := base64.StdEncoding.DecodeString(field.File.Base64)
			if err != nil {
				return nil, "", fmt.Errorf("multipart field %s: file.base64: %w", field.Name, err)
			}
			header := textproto.MIMEHeader{}
			header.Set("Content-Disposition", fmt.Sprintf(`form-data; name="%s"; filename="%s"`,
				quoteEscaper.Replace(field.Name), quoteEscaper.Replace(field.File.Filename)))
			header.Set("Content-Type", field.File.ContentType)
			part, err := writer.CreatePart(header)
			if err != nil {
				return nil, "", err
			}
			if _, err := part.Write(content); err != nil {
				return nil, "", err
			}
		case field.Value != nil:
			if err := writer.WriteField(field.Name, *field.Value); err != nil {
				return nil, "", err
			}
		default:
			return nil, "", fmt.Errorf("multipart field %s: expected value or file", field.Name)
		}
	}
	if err := writer.Close(); err != nil {
		return nil, "", err
	}
	return body.Bytes(), writer.FormDataContentType(), nil
}

func (r *request) taskOf() (call.Task, error) {
	t := r.Task
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
