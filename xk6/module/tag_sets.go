package module

import (
	"strconv"
	"sync"

	"go.k6.io/k6/v2/metrics"

	"weighbridge.dev/xk6/ledger"
	"weighbridge.dev/xk6/metric"
)

// tagSets remembers the sets that calls use: k6 keeps each for ever anyway, and making one takes a lock and a walk.
// The values are closed sets, so it stays small.
type tagSets struct {
	calls      remembered[callTags]
	objectives remembered[objectiveTags]
	exchanges  remembered[exchangeTags]
}

type callTags struct {
	base                        *metrics.TagSet
	kind, outcome, phase, model string
}

type objectiveTags struct {
	base      *metrics.TagSet
	objective string
}

// exchangeTags are k6's own of an exchange; what is empty was not seen.
type exchangeTags struct {
	base                            *metrics.TagSet
	enabled                         *metrics.SystemTagSet
	method, proto, tlsVersion, ocsp string
	status                          int
	failure                         errorCode
	expected                        bool
}

func (t *tagSets) ofCall(base *metrics.TagSet, row *ledger.Row) *metrics.TagSet {
	key := callTags{base: base, kind: row.Kind, outcome: row.Outcome, phase: row.Phase}
	if row.Model != nil {
		key.model = *row.Model
	}
	return t.calls.of(key, callTags.set)
}

func (c callTags) set() *metrics.TagSet {
	set := c.base.With(metric.TagKind, c.kind).With(metric.TagOutcome, c.outcome).With(metric.TagPhase, c.phase)
	if c.model != "" {
		set = set.With(metric.TagModel, c.model)
	}
	return set
}

func (t *tagSets) ofObjective(base *metrics.TagSet, objective string) *metrics.TagSet {
	return t.objectives.of(objectiveTags{base, objective}, objectiveTags.set)
}

func (o objectiveTags) set() *metrics.TagSet { return o.base.With(metric.TagObjective, o.objective) }

func (t *tagSets) ofExchange(key exchangeTags) *metrics.TagSet {
	return t.exchanges.of(key, exchangeTags.set)
}

func (e exchangeTags) set() *metrics.TagSet {
	own := metrics.TagsAndMeta{Tags: e.base} // none of these tags is metadata
	tag := func(name metrics.SystemTag, value string) { own.SetSystemTagOrMetaIfEnabled(e.enabled, name, value) }
	seen := func(name metrics.SystemTag, value string) {
		if value != "" {
			tag(name, value)
		}
	}
	tag(metrics.TagMethod, e.method)
	seen(metrics.TagProto, e.proto)
	seen(metrics.TagTLSVersion, e.tlsVersion)
	seen(metrics.TagOCSPStatus, e.ocsp)
	tag(metrics.TagStatus, strconv.Itoa(e.status))
	tag(metrics.TagExpectedResponse, strconv.FormatBool(e.expected))
	seen(metrics.TagError, e.failure.text)
	if e.failure.number != 0 {
		tag(metrics.TagErrorCode, strconv.Itoa(e.failure.number))
	}
	return own.Tags
}

// remembered holds the set of each key. A sync.Map would put the key of every look on the heap.
type remembered[K comparable] struct {
	mu   sync.RWMutex
	sets map[K]*metrics.TagSet
}

func (r *remembered[K]) of(key K, set func(K) *metrics.TagSet) *metrics.TagSet {
	r.mu.RLock()
	known := r.sets[key]
	r.mu.RUnlock()
	if known != nil {
		return known
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.sets == nil {
		r.sets = map[K]*metrics.TagSet{}
	}
	r.sets[key] = set(key)
	return r.sets[key]
}
