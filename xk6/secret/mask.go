package secret

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

const masked = "[key]"

// mask takes secrets out of what a target wrote. Of our own words it must be kept away: they are no secrets, whatever the
// key. It does what src/secrets/secret-mask.ts does; test/corpus/secrets holds both to it.
type mask struct{ secrets []sought }

func maskOf(secrets ...string) *mask {
	m := &mask{}
	for _, secret := range secrets {
		if secret != "" {
			m.secrets = append(m.secrets, soughtOf(secret))
		}
	}
	return m
}

func (m *mask) without(text string, isProse bool) string {
	var spans []span
	long := false
	for i := range m.secrets {
		switch s := &m.secrets[i]; {
		case !s.isShort():
			long = true
		case isProse || !s.isWord():
			spans = append(spans, s.words(text)...)
		}
	}
	if long {
		spans = append(spans, m.spans(layersOf(text))...)
	}
	return replaced(text, spans)
}

// layersOf is the text, then without one layer of escapes, and so on to the last.
func layersOf(text string) []reading {
	layers := []reading{{text: text}}
	for len(layers) <= mostEscapeLayers {
		inner := withoutEscapes(text)
		if inner == text {
			break
		}
		text = inner
		layers = append(layers, reading{text: text})
	}
	return layers
}

// toTheEnd is the end of whatever text.
const toTheEnd = math.MaxInt

// spans are those of the outermost layer.
func (m *mask) spans(layers []reading) []span {
	var spans []span
	for i := range layers {
		layer := &layers[len(layers)-1-i]
		if len(spans) > 0 {
			spans = spansBefore(layer.text, spans)
		}
		for i := range m.secrets {
			s := &m.secrets[i]
			if s.isIn(layer) {
				spans = append(spans, s.spans(layer)...)
			}
			if start, found := s.beginning(layer); found {
				spans = append(spans, span{start, toTheEnd})
			}
		}
	}
	return spans
}

func spansBefore(text string, spans []span) []span {
	var places []int
	for _, s := range spans {
		places = append(places, s.start)
		if s.end != toTheEnd {
			places = append(places, s.end)
		}
	}
	slices.Sort(places)
	places = slices.Compact(places)
	before := placesBefore(text, places)
	outer := make([]span, len(spans))
	for i, s := range spans {
		outer[i] = span{placeOf(s.start, places, before), placeOf(s.end, places, before)}
	}
	return outer
}

func placeOf(place int, places, before []int) int {
	if at, known := slices.BinarySearch(places, place); known {
		return before[at]
	}
	return place
}

// replaced: spans that overlap are one.
func replaced(text string, spans []span) string {
	if len(spans) == 0 {
		return text
	}
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	var clean strings.Builder
	from, open := 0, spans[0]
	closeSpan := func() {
		clean.WriteString(text[from:open.start])
		clean.WriteString(masked)
		from = min(open.end, len(text))
	}
	for _, s := range spans[1:] {
		if s.start < open.end {
			open.end = max(open.end, s.end)
			continue
		}
		closeSpan()
		open = s
	}
	closeSpan()
	clean.WriteString(text[from:])
	return clean.String()
}
