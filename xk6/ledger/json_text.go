package ledger

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"sync"

	"weighbridge.dev/xk6/jsontext"
)

// encoder appends JSON exactly as encoding/json writes it with SetEscapeHTML(false), without reflection.
type encoder struct {
	text []byte
	err  error
}

var encoders = sync.Pool{New: func() any { return &encoder{} }}

// encoded fills an encoder with one line; free gives it back. Texts of the target came to it without the key.
func encoded(line func(*encoder)) *encoder {
	e := encoders.Get().(*encoder)
	e.text, e.err = e.text[:0], nil
	line(e)
	return e
}

func (e *encoder) free() {
	if cap(e.text) <= maxSpare {
		encoders.Put(e)
	}
}

func (e *encoder) raw(text string) { e.text = append(e.text, text...) }

func (e *encoder) integer(value int64) { e.text = strconv.AppendInt(e.text, value, 10) }

func (e *encoder) boolean(value bool) { e.text = strconv.AppendBool(e.text, value) }

// float is the number form of ECMAScript, as encoding/json has it. JSON has no NaN and no infinity.
func (e *encoder) float(value float64) {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		e.err = fmt.Errorf("ledger: %v is no JSON number", value)
		return
	}
	format := byte('f')
	if size := math.Abs(value); size != 0 && (size < 1e-6 || size >= 1e21) {
		format = 'e'
	}
	e.text = strconv.AppendFloat(e.text, value, format, -1, 64)
	if n := len(e.text); format == 'e' && n >= 4 && e.text[n-4] == 'e' && e.text[n-2] == '0' { // e-09 is e-9
		e.text[n-2] = e.text[n-1]
		e.text = e.text[:n-1]
	}
}

func (e *encoder) string(text string) { e.text = jsontext.Append(e.text, text) }

// json writes what a target sent, without the white space; nil is null.
func (e *encoder) json(text json.RawMessage) {
	if text == nil {
		e.raw("null")
		return
	}
	buffer := bytes.NewBuffer(e.text)
	if err := json.Compact(buffer, text); err != nil {
		e.err = fmt.Errorf("ledger: %w", err)
		return
	}
	e.text = buffer.Bytes()
}

func (e *encoder) strings(list []string) {
	if list == nil {
		e.raw("null")
		return
	}
	e.raw("[")
	for i, text := range list {
		if i > 0 {
			e.raw(",")
		}
		e.string(text)
	}
	e.raw("]")
}

func (e *encoder) stringOrNull(value *string) {
	if value == nil {
		e.raw("null")
		return
	}
	e.string(*value)
}

func (e *encoder) integerOrNull(value *int64) {
	if value == nil {
		e.raw("null")
		return
	}
	e.integer(*value)
}

func (e *encoder) countOrNull(value *int) {
	if value == nil {
		e.raw("null")
		return
	}
	e.integer(int64(*value))
}

func (e *encoder) floatOrNull(value *float64) {
	if value == nil {
		e.raw("null")
		return
	}
	e.float(*value)
}

func (e *encoder) booleanOrNull(value *bool) {
	if value == nil {
		e.raw("null")
		return
	}
	e.boolean(*value)
}
