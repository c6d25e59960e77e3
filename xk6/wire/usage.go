package wire

import (
	"bytes"
	"encoding/json"
)

// maxRawUsage is the largest usage object, in bytes, that is kept as served.
const maxRawUsage = 16 << 10

// Usage is what the target says a call used. A field that was not served, or was served as anything but a whole number
// from 0 to 2^53-1, is nil, never 0.
type Usage struct {
	// Input is normalised: cache reads and writes are inside, in every format.
	Input, Output, CacheRead, CacheWrite, Reasoning *int64
	// Raw is the usage object as served, the last one seen; in the messages format the merge of all of them. Nil where
	// it is larger than 16 KiB.
	Raw json.RawMessage
	// Peak is over all usage objects of the answer.
	Peak Peak
}

// Peak is what the spend cap counts on: a later, smaller usage does not take back what an earlier one told.
type Peak struct {
	// Input and Output are the largest counts told, nil where none was.
	Input, Output *int64
	// Doubtful: a count of input or output was told that is none.
	Doubtful bool
}

// usageSeen gathers the usage objects of one answer.
type usageSeen struct {
	any           bool
	last          usageCounts
	raw           []byte // nil where it is too large
	input, output tokens // the largest
	doubtful      bool
}

// set keeps the last usage: it is never summed. Not an empty one: some gateways send {} before the real one.
func (u *usageSeen) set(kind string, raw []byte) {
	counts, ok := readCounts(kind, raw)
	if !ok {
		return
	}
	u.see(kind, counts)
	if len(raw) > maxRawUsage {
		u.raw = nil
		return
	}
	u.raw = append(u.raw[:0], raw...)
}

// merge overwrites what is served again, for cumulative counts.
func (u *usageSeen) merge(kind string, raw []byte) {
	if !u.any {
		u.set(kind, raw)
		return
	}
	counts, ok := readCounts(kind, raw)
	if !ok {
		return
	}
	u.see(kind, u.last.updated(counts))
	if u.raw == nil || len(raw) > maxRawUsage {
		u.raw = nil
	} else if u.raw = mergeObjects(u.raw, raw); len(u.raw) > maxRawUsage {
		u.raw = nil
	}
}

func (u *usageSeen) see(kind string, counts usageCounts) {
	u.any, u.last = true, counts
	input := counts.wholeInput(kind)
	u.input, u.output = largest(u.input, input), largest(u.output, counts.output)
	u.doubtful = u.doubtful || input.told == garbled || counts.output.told == garbled
}

// usage is nil where none was served.
func (u *usageSeen) usage(kind string) *Usage {
	if !u.any {
		return nil
	}
	usage := &Usage{
		Input: u.last.wholeInput(kind).count(), Output: u.last.output.count(), Reasoning: u.last.reasoning.count(),
		CacheRead: u.last.cacheRead.count(), CacheWrite: u.last.cacheWrite.count(),
		Peak: Peak{Input: u.input.count(), Output: u.output.count(), Doubtful: u.doubtful},
	}
	if u.raw != nil {
		usage.Raw = append(json.RawMessage(nil), u.raw...)
	}
	return usage
}

type member struct{ name, value []byte }

// mergeObjects overwrites the members of base with those of update. Counts are cumulative, so nothing is added up;
// a null does not take back a number that was served before.
func mergeObjects(base, update []byte) []byte {
	all := appendMembers(appendMembers(nil, base), update)
	out := []byte{'{'}
	for _, m := range all {
		if len(out) > 1 {
			out = append(out, ',')
		}
		name, _ := json.Marshal(string(m.name)) // a string always marshals
		out = append(append(append(out, name...), ':'), m.value...)
	}
	return append(out, '}')
}

func appendMembers(all []member, object []byte) []member {
	s := scan{b: object}
	if !s.object() {
		return all
	}
next:
	for s.key() {
		name, value := s.name, s.raw()
		for i := range all {
			if bytes.Equal(all[i].name, name) {
				if value != nil {
					all[i].value = value
				}
				continue next
			}
		}
		if value == nil {
			value = []byte("null")
		}
		all = append(all, member{name, value})
	}
	return all
}
