package module

import (
	"sync"

	"go.k6.io/k6/v2/metrics"

	"weighbridge.dev/xk6/ledger"
	"weighbridge.dev/xk6/metric"
)

// tagSets remembers the sets that calls use: k6 keeps each for ever anyway, and making one takes a lock and a walk.
// The values are closed sets, so it stays small.
type tagSets struct {
	calls      sync.Map // callTags → *metrics.TagSet
	objectives sync.Map // objectiveTags → *metrics.TagSet
}

type callTags struct {
	base                        *metrics.TagSet
	kind, outcome, phase, model string
}

type objectiveTags struct {
	base      *metrics.TagSet
	objective string
}

func (t *tagSets) ofCall(base *metrics.TagSet, row *ledger.Row) *metrics.TagSet {
	key := callTags{base: base, kind: row.Kind, outcome: row.Outcome, phase: row.Phase}
	if row.Model != nil {
		key.model = *row.Model
	}
	if known, found := t.calls.Load(key); found {
		return known.(*metrics.TagSet)
	}
	set := base.With(metric.TagKind, key.kind).With(metric.TagOutcome, key.outcome).With(metric.TagPhase, key.phase)
	if row.Model != nil {
		set = set.With(metric.TagModel, key.model)
	}
	t.calls.Store(key, set)
	return set
}

func (t *tagSets) ofObjective(base *metrics.TagSet, objective string) *metrics.TagSet {
	key := objectiveTags{base, objective}
	if known, found := t.objectives.Load(key); found {
		return known.(*metrics.TagSet)
	}
	set := base.With(metric.TagObjective, objective)
	t.objectives.Store(key, set)
	return set
}
