package module

import (
	"strings"
	"testing"

	"github.com/grafana/sobek"
)

func evaluate(t testing.TB, script string) (*sobek.Runtime, sobek.Value) {
	t.Helper()
	rt := sobek.New()
	value, err := rt.RunString("(" + script + ")")
	if err != nil {
		t.Fatal(err)
	}
	return rt, value
}

func TestBodiesAreWrittenAsJSONStringifyDoes(t *testing.T) {
	for _, script := range []string{
		`{}`, `[]`, `{a: 1, b: -2.5, c: 1e21, d: 0.1, e: 9007199254740991, f: -0, g: NaN, h: Infinity}`,
		`{text: "plain", quoted: "a\"b\\c", lines: "a\nb\r\n\tc\b\f\u0001\u001f", empty: ""}`,
		`{wide: "größe – 数字 🙂", "größe": true}`,
		`{none: null, missing: undefined, list: [1, undefined, null, "x", [true, false], {deep: {deeper: []}}]}`,
		`{b: 1, a: 2, 7: 3, 3: 4}`,
	} {
		rt, value := evaluate(t, script)
		found, err := appendJSON(nil, value, 0)
		if err != nil {
			t.Errorf("%s: %v", script, err)
			continue
		}
		want, err := rt.RunString("JSON.stringify(" + script + ")")
		if err != nil {
			t.Fatal(err)
		}
		if string(found) != want.String() {
			t.Errorf("%s:\nwant  %s\nfound %s", script, want, found)
		}
	}
}

func TestBodiesThatAreNoPlainDataAreRefused(t *testing.T) {
	for script, want := range map[string]string{
		`{when: new Date()}`: "found a Date",
		`{run: () => 1}`:     "found a Function",
		`{big: 1n}`:          "found 1",
		`(() => { const a = {}; a.a = a; return a })()`: "at most 64 deep",
	} {
		_, value := evaluate(t, script)
		if _, err := appendJSON(nil, value, 0); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: want %q, found %v", script, want, err)
		}
	}
}
