package plan

import (
	"encoding/json"
	"fmt"
)

// ForbidsHTTP2 reports whether HTTP/1.1 is to be spoken also where a target offers HTTP/2. A plan without the part
// forbids nothing.
func (h HTTP) ForbidsHTTP2() bool { return h.Reuse != "" && !h.HTTP2 }

// SizeTable holds equally likely sizes, ascending; one entry for a fixed size.
type SizeTable []int64

// maxSizes is the most entries of a table.
const maxSizes = 1024

// UnmarshalJSON reads a number or a list.
func (t *SizeTable) UnmarshalJSON(text []byte) error {
	var one int64
	if json.Unmarshal(text, &one) == nil {
		*t = SizeTable{one}
		return nil
	}
	var many []int64
	if err := json.Unmarshal(text, &many); err != nil {
		return fmt.Errorf("expected a whole number or a list of them: %w", err)
	}
	if len(many) < 1 || len(many) > maxSizes {
		return fmt.Errorf("expected 1 to %d sizes, found %d", maxSizes, len(many))
	}
	*t = many
	return nil
}

// ScenarioNamed finds a scenario.
func (w *Workload) ScenarioNamed(name string) (*Scenario, bool) {
	for i := range w.Scenarios {
		if w.Scenarios[i].Name == name {
			return &w.Scenarios[i], true
		}
	}
	return nil, false
}
