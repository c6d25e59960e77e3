// Package ledger writes the lines of src/contracts/ledger-lines.ts: field names and their order are that contract.
// A nil pointer is written as null, which means not known and never 0.
package ledger

import (
	"maps"
	"slices"
)

// A test holds the generated encoder against encoding/json.

// counts writes a map in the order of its keys, so that equal rows have equal bytes.
func (e *encoder) counts(of map[string]int) {
	if of == nil {
		e.raw("null")
		return
	}
	e.raw("{")
	for i, name := range slices.Sorted(maps.Keys(of)) {
		if i > 0 {
			e.raw(",")
		}
		e.string(name)
		e.raw(":")
		e.integer(int64(of[name]))
	}
	e.raw("}")
}

// texts writes a map in the order of its keys.
func (e *encoder) texts(of map[string]string) {
	if of == nil {
		e.raw("null")
		return
	}
	e.raw("{")
	for i, name := range slices.Sorted(maps.Keys(of)) {
		if i > 0 {
			e.raw(",")
		}
		e.string(name)
		e.raw(":")
		e.string(of[name])
	}
	e.raw("}")
}

func (e *encoder) scenarios(list []ScenarioState) {
	if list == nil {
		e.raw("null")
		return
	}
	e.raw("[")
	for i := range list {
		if i > 0 {
			e.raw(",")
		}
		e.scenarioState(&list[i])
	}
	e.raw("]")
}

func (e *encoder) prefixes(list []Prefix) {
	if list == nil {
		e.raw("null")
		return
	}
	e.raw("[")
	for i := range list {
		if i > 0 {
			e.raw(",")
		}
		e.prefix(&list[i])
	}
	e.raw("]")
}

func (e *encoder) histogram(pairs [][2]float64) {
	if pairs == nil {
		e.raw("null")
		return
	}
	e.raw("[")
	for i, pair := range pairs {
		if i > 0 {
			e.raw(",")
		}
		e.raw("[")
		e.float(pair[0])
		e.raw(",")
		e.float(pair[1])
		e.raw("]")
	}
	e.raw("]")
}
