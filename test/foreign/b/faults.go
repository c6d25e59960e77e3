// ---- planted faults, the truth file and leaving with "go run": no part of the honest gateway
package main
import (
	"encoding/json"; "flag"; "os"; "strings"; "time"
)
const fLost, fRefused, fInflated, fNegative, fPhantom, fFullCache, fHalfMore, fFree, fDearer, fThousand =
	1, 2, 3, 4, 5, 6, 7, 8, 9, 10

var sentences = []string{"",
	"A successful text call was answered with its usage and has no usage record; it is in no totals",
	"A refused request (4xx) is charged as if it had succeeded",
	"The record's input_tokens is larger than the usage told in the answer, and the charge follows the record",
	"The record has a negative amount",
	"A charged, settled record appears for a call that no client made; the totals include it",
	"The cached input tokens are charged at the full input price",
	"The charge is 1.5 times what the price book gives for the record's own tokens",
	"A successful text call is charged 0 and its record is in the state of other charged calls",
	"The record names a dearer model than the one asked for and is charged at its prices",
	"The charge is 1,000 times what the price book gives",
}

type plant struct {
	fault, seen, next int
	truth             *os.File
}

var faultFlag, truthFlag = flag.Int("fault", 0, "1 to 10; 0: honest"), flag.String("truth", "", "append the books here")

func newPlant() plant {
	p := plant{fault: *faultFlag, next: 6}
	if p.fault < 0 || p.fault >= len(sentences) { panic("--fault must be from 0 to 10") }
	if *truthFlag != "" {
		var err error
		if p.truth, err = os.OpenFile(*truthFlag, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644); err != nil { panic(err) }
	}
	// A SIGTERM to "go run" ends only the go tool, so its child leaves when its parent has gone.
	if exe, _ := os.Executable(); strings.Contains(exe, "go-build") {
		parent := os.Getppid()
		go func() { for os.Getppid() == parent { time.Sleep(200 * time.Millisecond) }; os.Exit(0) }()
	}
	return p
}

// strike counts a call that the fault can apply to; it hits the 6th and then about every 4th.
func (g *gateway) strike() bool {
	if g.seen++; g.seen < g.next { return false }
	g.next = g.seen + 3 + g.rng.IntN(3)
	return true
}
func (g *gateway) loses(a *answer) bool { return g.fault == fLost && !a.fail && g.strike() }

// tell appends to the truth file what the books have, and a second line when a fault was planted.
func (g *gateway) tell(r *record, charged, due nano, planted bool) {
	if g.truth == nil || charged == 0 && due == 0 { return }
	out := json.NewEncoder(g.truth)
	out.Encode(M{"request_id": r.rid, "model": r.m.id, "kind": r.kind, "charged_usd": charged, "due_usd": due})
	if planted {
		out.Encode(M{"fault": sentences[g.fault], "request_id": r.rid, "charged_usd": charged, "due_usd": due})
	}
}
func (g *gateway) afterSettle(r *record) {
	due, hit, done := r.m.price(r.t), false, r.result == "completed"
	switch g.fault {
	case fLost: hit = r.seq == 0
	case fRefused: g.seen = min(g.seen+1, max(g.seen, 5)) // the first refusal after five paid calls is hit
	case fFullCache: hit, r.delta = r.t.cached > 0, nano(r.t.cached)*(r.m.in-r.m.cached)
	case fDearer: hit = done && r.m != catalog[4] && g.strike()
	case fInflated, fNegative, fHalfMore, fFree, fThousand, fPhantom: hit = done && g.strike()
	}
	if hit {
		switch g.fault {
		case fInflated: r.t.in += 8 + r.t.in/2
		case fNegative: r.delta = -2 * due
		case fHalfMore: r.delta = due / 2
		case fFree: r.delta = -due
		case fDearer: r.m = catalog[4]
		case fThousand: r.delta = 999 * due
		}
	}
	charged := r.amount()
	if r.seq == 0 { charged = 0 }
	g.tell(r, charged, due, hit && g.fault != fPhantom)
	if hit && g.fault == fPhantom {
		t := tokens{in: 20 + g.rng.Int64N(200), out: 8 + g.rng.Int64N(53)}
		g.invent(&record{rid: secret("req_"), kind: "chat", m: catalog[g.rng.IntN(len(catalog))], t: t}, defaultMax)
	}
}
func (g *gateway) invent(r *record, limit int64) {
	r.at, r.result, r.held = time.Now().Unix(), "completed", r.m.price(tokens{r.t.in, 0, max(limit, r.t.out)})
	g.book(r)
	g.tell(r, r.amount(), 0, true)
}

// afterRefusal runs when a request was refused; it has a model only if the key was valid and the model is known.
func (g *gateway) afterRefusal(r *record, q request) {
	g.Lock(); defer g.Unlock()
	if g.fault != fRefused || r.m == nil || !g.strike() { return }
	r.t = tokens{in: max(q.in, 8), out: 8 + g.rng.Int64N(53)}
	g.invent(r, min(max(q.limit, 1), defaultMax))
}
