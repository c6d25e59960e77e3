package module

import (
	"math"
	"strconv"

	"github.com/grafana/sobek"

	"weighbridge.dev/xk6/call"
	"weighbridge.dev/xk6/ledger"
	"weighbridge.dev/xk6/outcome"
)

// aloneObject is AloneResult of the d.ts file: plain data, so that a script can print it.
func aloneObject(rt *sobek.Runtime, result *call.Result) *sobek.Object {
	row := &result.Row
	object := rt.NewObject()
	set := func(name string, value any) { _ = object.Set(name, value) }
	set("ok", row.Outcome == string(outcome.Ok))
	set("status", orNull(rt, row.Status))
	set("outcome", row.Outcome)
	set("error", errorOf(rt, row))
	set("ttft", orNull(rt, row.TTFTMS))
	set("itl", gapsOf(rt, row))
	set("tpot", sobek.Null())
	if tpot, known := tpotOf(row); known {
		set("tpot", tpot)
	}
	set("e2e", row.EndMS)
	set("tokens", tokensOf(rt, row.Usage))
	set("text", result.Text)
	set("finish", orNull(rt, row.Finish))
	return object
}

// errorOf is null for a call that is ok, and else says what happened as the server said it, or as we saw it.
func errorOf(rt *sobek.Runtime, row *ledger.Row) sobek.Value {
	switch {
	case row.Outcome == string(outcome.Ok):
		return sobek.Null()
	case row.ErrorMessage != nil:
		return rt.ToValue(*row.ErrorMessage)
	default:
		return rt.ToValue(row.ErrorType)
	}
}

// tokensOf are null where the server tells none: they are not counted here.
func tokensOf(rt *sobek.Runtime, usage *ledger.Usage) *sobek.Object {
	if usage == nil {
		usage = &ledger.Usage{}
	}
	object := rt.NewObject()
	_ = object.Set("input", orNull(rt, usage.Input))
	_ = object.Set("output", orNull(rt, usage.Output))
	return object
}

func gapsOf(rt *sobek.Runtime, row *ledger.Row) sobek.Value {
	if row.ITL == nil || row.MaxGapMS == nil {
		return sobek.Null()
	}
	object := rt.NewObject()
	for _, percent := range []int{50, 95, 99} {
		_ = object.Set("p"+strconv.Itoa(percent), gapAt(row.ITL, *row.MaxGapMS, float64(percent)))
	}
	_ = object.Set("max", *row.MaxGapMS)
	return object
}

// The buckets of gaps, as in src/measure/stream-figures.ts: bounds grow by 2^(1/16) from 0.01 ms up.
var bucketGrowth = math.Exp2(1.0 / 16)

const smallestBoundMS = 0.01

// gapAt is itlTable of src/measure/stream-figures.ts for one stream: by linear interpolation between the two nearest
// gaps, which lie in their bucket as if it were filled evenly, and none above the longest.
func gapAt(histogram [][2]float64, longest, percent float64) float64 {
	count := 0.0
	for _, pair := range histogram {
		count += pair[1]
	}
	rank := (count - 1) * percent / 100
	low, high := gapOfRank(histogram, count, longest, math.Floor(rank)), gapOfRank(histogram, count, longest, math.Ceil(rank))
	return math.Round((low+(high-low)*(rank-math.Floor(rank)))*1000) / 1000
}

func gapOfRank(histogram [][2]float64, count, longest, rank float64) float64 {
	before := 0.0
	for _, pair := range histogram {
		bound, times := pair[0], pair[1]
		if before+times <= rank {
			before += times
			continue
		}
		if rank == count-1 {
			break
		}
		lower := 0.0
		if bound > smallestBoundMS {
			lower = min(bound/bucketGrowth, longest)
		}
		return lower + (rank-before+0.5)/times*(min(bound, longest)-lower)
	}
	return longest
}
