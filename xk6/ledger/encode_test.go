package ledger

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
)

// reference is what the encoder must give, byte for byte.
func reference(line any) (string, error) {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(line)
	return buffer.String(), err
}

func encodedText(line any) (string, error) {
	var e encoder
	switch l := line.(type) {
	case *Header:
		e.headerLine(l)
	case *Intent:
		e.intentLine(l)
	case *State:
		e.stateLine(l)
	case *Row:
		e.rowLine(l)
	case *Text:
		e.textLine(l)
	}
	return string(e.text), e.err
}

func newLines() []any { return []any{&Header{}, &Intent{}, &State{}, &Row{}, &Text{}} }

func agree(t *testing.T, line any) {
	t.Helper()
	want, wantErr := reference(line)
	found, err := encodedText(line)
	if (err == nil) != (wantErr == nil) || err == nil && found != want {
		t.Fatalf("%T:\nwant  %s %v\nfound %s %v", line, want, wantErr, found, err)
	}
}

// Every field of every line and part, filled alone and all together: a field that is added and not encoded fails here.
func TestEveryFieldIsEncoded(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, line := range newLines() {
		agree(t, line)
		value := reflect.ValueOf(line).Elem()
		for i := range value.NumField() {
			fill(random, value.Field(i), true)
			agree(t, line)
		}
	}
}

func TestTheEncodingIsThatOfEncodingJSON(t *testing.T) {
	for seed := range uint64(3000) {
		random := rand.New(rand.NewPCG(seed, 7))
		for _, line := range newLines() {
			fill(random, reflect.ValueOf(line).Elem(), false)
			agree(t, line)
		}
	}
}

func TestANumberThatJSONCannotHoldIsRefused(t *testing.T) {
	for _, value := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		w := open(t, t.TempDir(), Options{})
		if err := w.Row(Row{EndMS: value}); err == nil || w.Lost() != 1 {
			t.Errorf("%v: %v, lost %d", value, err, w.Lost())
		}
	}
}

var strangeTexts = []string{
	"", "plain", `quote " and \ slash`, "<tag> & more", "line\nline\r\t\b\f\v\x00\x1f\x7f", "separators \u2028 \u2029",
	"bad \xff\xfe utf-8 \xc3", "wide \U0001F600 é \ufffd", "\xe2\x80", "ends in \xe2\x80\xa8",
}

var strangeNumbers = []float64{
	0, math.Copysign(0, -1), 1, -1.5, 0.1, 1e-6, 9.99e-7, 1e-9, 1.5e-10, 1e20, 1e21, 1.25e22, -3e-100, math.MaxFloat64,
	math.SmallestNonzeroFloat64, 1234.567, 1e100,
}

var rawTexts = []string{`{}`, `null`, ` { "a" : [ 1 , 2.50 ] , "b" : "<&> \u2028" } `, `"x"`, `{`, ``, `[1,]`, "\"\u2028\""}

// fill gives a value random contents; whole leaves no pointer and no list empty.
func fill(random *rand.Rand, value reflect.Value, whole bool) {
	empty := func() bool { return !whole && random.IntN(3) == 0 }
	switch value.Kind() {
	case reflect.Pointer:
		value.SetZero()
		if !empty() {
			value.Set(reflect.New(value.Type().Elem()))
			fill(random, value.Elem(), whole)
		}
	case reflect.Struct:
		for i := range value.NumField() {
			fill(random, value.Field(i), whole)
		}
	case reflect.Slice:
		if value.Type() == reflect.TypeFor[json.RawMessage]() {
			value.SetBytes([]byte(rawTexts[random.IntN(len(rawTexts))]))
			if whole {
				value.SetBytes([]byte(rawTexts[2]))
			} else if empty() {
				value.SetZero()
			}
			return
		}
		value.SetZero()
		if empty() {
			return
		}
		n := 2
		if !whole {
			n = random.IntN(4)
		}
		value.Set(reflect.MakeSlice(value.Type(), n, n))
		fallthrough
	case reflect.Array:
		for i := range value.Len() {
			fill(random, value.Index(i), whole)
		}
	case reflect.Map:
		value.SetZero()
		if !empty() {
			if value.Type().Elem().Kind() == reflect.String {
				value.Set(reflect.ValueOf(map[string]string{"header:x": "<&>", "a": strangeTexts[random.IntN(len(strangeTexts))]}))
			} else {
				value.Set(reflect.ValueOf(map[string]int{"web_search": 2, "<&>": 1, "a": random.IntN(9)}))
			}
		}
	case reflect.String:
		value.SetString(strangeTexts[random.IntN(len(strangeTexts))] + strangeTexts[random.IntN(len(strangeTexts))])
	case reflect.Float64:
		value.SetFloat(strangeNumbers[random.IntN(len(strangeNumbers))])
		if random.IntN(2) == 0 {
			value.SetFloat(random.NormFloat64() * math.Pow(10, float64(random.IntN(40)-20)))
		}
	case reflect.Int, reflect.Int64:
		value.SetInt(random.Int64() >> random.IntN(64) * int64(1-2*random.IntN(2)))
	case reflect.Bool:
		value.SetBool(random.IntN(2) == 0)
	default:
		panic("no random " + value.Type().String())
	}
}

func FuzzText(f *testing.F) {
	for _, text := range strangeTexts {
		f.Add(text, 1.5)
	}
	f.Fuzz(func(t *testing.T, text string, number float64) {
		agree(t, &Row{Model: &text, EndMS: number, RequestIDs: []string{text}})
	})
}
