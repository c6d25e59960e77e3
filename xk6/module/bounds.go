package module

import (
	"strconv"

	"weighbridge.dev/xk6/ledger"
	"weighbridge.dev/xk6/plan"
)

// goodObjective is the tag of all bounds on time of a scenario together.
const goodObjective = "good"

// bound is an objective on the time of single calls.
type bound struct {
	objective string // its index in the plan
	measure   string
	max       float64
}

// boundsOf gives the objectives of each scenario; those that are on no time mark no call by themselves.
func boundsOf(p *plan.Plan) map[string][]bound {
	bounds := map[string][]bound{}
	if p == nil {
		return bounds
	}
	for i, o := range p.Workload.Objectives {
		b := bound{objective: strconv.Itoa(i), measure: o.Measure}
		if o.Max != nil {
			b.max = *o.Max
		}
		bounds[o.Scenario] = append(bounds[o.Scenario], b)
	}
	return bounds
}

// timeOf is the time that the bound is about, where the call has it; before is that of the attempts before the row's.
func (b bound) timeOf(row *ledger.Row, before float64) (float64, bool) {
	switch b.measure {
	case "ttft_ms":
		if !row.Stream || row.TTFTMS == nil {
			return 0, false
		}
		return before + *row.TTFTMS, true
	case "tpot_ms":
		if !row.Stream {
			return 0, false
		}
		return tpotOf(row)
	case "e2e_ms":
		return before + row.EndMS, true
	default:
		return 0, false
	}
}
