package load

import (
	"errors"
	"fmt"
	"strings"
)

// onlyInstance names a k6 that makes the whole load.
const onlyInstance = "i0"

var segmentName = strings.NewReplacer("/", "_", ":", "-")

// TakeSegment names an instance without a name after its execution segment, so that no two of a run are alike. It refuses
// a k6 that is none of those that the plan was made for: without its segment each would make the whole load, and spend the
// whole cap.
func (r *Run) TakeSegment(segment *string, segments int) error {
	if r.Plan != nil && r.Plan.Instances > 0 && segments != r.Plan.Instances {
		return fmt.Errorf("plan: it is for %d k6 processes, each with --execution-segment and an --execution-segment-sequence of %d parts, "+
			"but this sequence has %d: give both flags, or plan again with weighbridge plan --instances",
			r.Plan.Instances, r.Plan.Instances, segments)
	}
	if r.Plan != nil && r.Plan.Instances == 0 && r.Plan.Workload.HTTP.RPS != nil && segments > 1 {
		return errors.New("plan: http.rps limits the whole run, but each k6 would apply it alone: plan again with weighbridge plan --instances")
	}
	if !r.named && segment != nil && segments > 1 {
		r.Instance = segmentName.Replace(*segment)
	}
	return nil
}
