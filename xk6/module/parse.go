package module

import (
	"errors"
	"fmt"
	"math"

	"github.com/grafana/sobek"
	"go.k6.io/k6/v2/js/common"
)

// parse reads a request; only on the event loop. Member by member, because a conversion by reflection would cost as much
// as the rest of the script. A member that is undefined or null is one that is not there.
func parse(rt *sobek.Runtime, value sobek.Value) (*request, error) {
	object, is := value.(*sobek.Object)
	if !is {
		return nil, errors.New("expected a request object")
	}
	r, p := &request{}, &parser{rt: rt}
	var body sobek.Value
	for _, name := range object.Keys() {
		member := object.Get(name)
		if common.IsNullish(member) {
			continue
		}
		if name == "body" {
			body = member // after the planned call, which says how long it is
			continue
		}
		if p.member(r, name, member); p.err != nil {
			return nil, p.err
		}
	}
	if r.planned != nil {
		r.adopt()
	}
	if body != nil {
		r.body = p.body(body, r.planned)
	}
	return r, p.err
}

// parser keeps the first error.
type parser struct {
	rt  *sobek.Runtime
	err error
}

func (p *parser) member(r *request, name string, value sobek.Value) {
	switch name {
	case "planned":
		var is bool
		if r.planned, is = value.Export().(*plannedObject); !is {
			p.err = errors.New("planned: expected what plannedCall returned")
		}
	case "call_id":
		r.callID = p.text(name, value)
	case "logical_id":
		r.logicalID = p.text(name, value)
	case "attempt":
		r.attempt = p.whole(name, value)
	case "n":
		r.n = p.whole(name, value)
	case "keep_text":
		r.keepText = p.flag(name, value)
	case "stop_after":
		p.into(name, value, &r.stopAfter)
	case "kind":
		r.kind = p.text(name, value)
	case "method":
		r.method = p.text(name, value)
	case "history":
		p.into(name, value, &r.history)
	case "path":
		r.path = p.text(name, value)
	case "headers":
		p.into(name, value, &r.headers)
	case "multipart":
		p.into(name, value, &r.multipart)
	case "auth":
		r.auth = p.text(name, value)
	case "model":
		model := p.text(name, value)
		r.model = &model
	case "max_tokens":
		r.maxTokens = p.whole(name, value)
	case "prompt_bytes":
		r.promptBytes = p.whole(name, value)
	case "units":
		p.into(name, value, &r.units)
	case "expect":
		r.expect = p.text(name, value)
	case "task":
		p.into(name, value, &r.task)
	default:
		p.err = fmt.Errorf("a request has no member %q", name)
	}
}

func (p *parser) fail(name, want string, found sobek.Value) {
	p.err = fmt.Errorf("%s: expected %s, found %s", name, want, found)
}

func (p *parser) text(name string, value sobek.Value) string {
	text, is := value.Export().(string)
	if !is {
		p.fail(name, "a text", value)
	}
	return text
}

func (p *parser) whole(name string, value sobek.Value) *int64 {
	switch number := value.Export().(type) {
	case int64:
		return &number
	case float64:
		if whole := int64(number); number == math.Trunc(number) && math.Abs(number) < 1<<53 {
			return &whole
		}
	}
	p.fail(name, "a whole number", value)
	return nil
}

func (p *parser) flag(name string, value sobek.Value) bool {
	flag, is := value.Export().(bool)
	if !is {
		p.fail(name, "true or false", value)
	}
	return flag
}

// into converts a member that few calls have.
func (p *parser) into(name string, value sobek.Value, target any) {
	if err := p.rt.ExportTo(value, target); err != nil {
		p.err = fmt.Errorf("%s: %w", name, err)
	}
}

// body is a text, or data to be sent as JSON.
func (p *parser) body(value sobek.Value, planned *plannedObject) []byte {
	if _, is := value.(*sobek.Object); !is {
		return []byte(p.text("body", value))
	}
	room := 512
	if planned != nil {
		room += len(planned.call.Prompt)
	}
	text, err := appendJSON(make([]byte, 0, room), value, 0)
	if err != nil {
		p.err = err
	}
	return text
}
