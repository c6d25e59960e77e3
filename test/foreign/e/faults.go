// ----- From here on: the true books (--truth) and the ten faults (--fault). Nothing of it is honest trade. -----
package main
import (
	"cmp"; "encoding/json"; "fmt"; "os"; "time"
)
type mark struct { hit, told bool; first time.Time; due usd } // first: when the settled record was served
type planted struct { kind, text, victim string; count int; shown bool }

var faults = [][2]string{
	{"lost", "A successful call has no usage record and is in no totals."},
	{"zero", "A successful call is charged 0 and settled all the same."},
	{"vanish", "A settled record is gone from the pages after it was served."},
	{"half", "A call is charged 1.5 times what the price book gives for its tokens."},
	{"gap", "A record at the border of two pages is on neither page, though it is in the totals."},
	{"grow", "The amount of a settled record grew by half between two reads."},
	{"models", "by_model leaves out a part of one model's money."},
	{"ghost", "A charged record stands for a call that no client ever made."},
	{"quarter", "All charges of one model are multiplied by 1.25, which the price book does not say."},
	{"double", "One call has two records with the same request_id, each charged in full."},
}

func (g *gateway) plant(number int, path string) {
	if path != "" {
		f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
		if err != nil { fmt.Fprintln(os.Stderr, err); os.Exit(1) }
		g.truth = f
	}
	if number >= 1 && number <= len(faults) { g.fault = planted{kind: faults[number-1][0], text: faults[number-1][1]} }
}
func (g *gateway) write(line obj) { if g.truth != nil { json.NewEncoder(g.truth).Encode(line) } }
func (g *gateway) tell(c *call, charged, due usd) {
	g.write(obj{"request_id": c.rid, "model": c.model, "kind": c.kind, "charged_usd": charged, "due_usd": due})
}
func (g *gateway) confess(rid any, charged, due usd) {
	g.write(obj{"fault": g.fault.text, "request_id": rid, "charged_usd": charged, "due_usd": due})
}
func (g *gateway) strikes(kind string) bool { // the 6th call that it can apply to, then every 4th
	if g.fault.kind != kind { return false }
	g.fault.count++
	return g.fault.count >= 6 && (g.fault.count-6)%4 == 0
}
func (g *gateway) leavesOut() bool { return g.strikes("lost") }

// bend gives the amount that a call is charged.
func (g *gateway) bend(c *call, due usd) usd {
	if g.fault.kind == "quarter" {
		g.fault.victim = cmp.Or(g.fault.victim, c.model)
		if g.fault.victim == c.model { return c.charge(5, 4) }
	} else if c.aborted {
		if c.offbook { c.offbook = false; g.enter(c.rec) } // no success, so its record is not left out
	} else if c.offbook || g.strikes("zero") {
		return 0
	} else if g.strikes("half") { return c.charge(3, 2) }
	return due
}

// afterwards adds what does not belong, and gives what more was charged under the request id of the call.
func (g *gateway) afterwards(c *call, due usd) usd {
	r, twin := c.rec, *c.rec
	if r.Amount != due { g.confess(c.rid, r.Amount, due) }
	if c.aborted { return 0 }
	if g.strikes("double") {
		g.enter(&twin)
		g.spent += r.Amount
		g.confess(c.rid, 2*r.Amount, due)
		return r.Amount
	} else if g.strikes("ghost") {
		other := *c
		other.out = 1 + g.rnd.Int64N(min(c.ceiling, 121))
		twin.RequestID, twin.Output, twin.Amount = requestID(), other.out, other.charge(1, 1)
		twin.Refunded, g.spent = r.Reserved-twin.Amount, g.spent+twin.Amount
		g.enter(&twin)
		g.confess(twin.RequestID, twin.Amount, 0)
	}
	r.mark.hit, r.mark.due = g.strikes("grow") || g.strikes("vanish"), due
	return 0
}
func (g *gateway) beforeRead() {
	for _, r := range g.records {
		m := &r.mark
		if g.fault.kind != "grow" || !m.hit || m.told || m.first.IsZero() || time.Since(m.first) < 2*time.Second { continue }
		m.told, r.Amount = true, divHalfEven(3*int64(m.due), 2)
		r.Refunded, g.spent = max(r.Reserved-r.Amount, 0), g.spent+r.Amount-m.due
		g.confess(r.RequestID, r.Amount, m.due)
	}
}
func (g *gateway) served(page []*record) {
	for _, r := range page { if r.Billing == "settled" && r.mark.first.IsZero() { r.mark.first = time.Now() } }
}
func (g *gateway) hidden(r *record) bool {
	gone := g.fault.kind == "vanish" && r.mark.hit && !r.mark.first.IsZero()
	if gone && !r.mark.told { r.mark.told = true; g.confess(r.RequestID, r.Amount, r.mark.due) }
	return gone
}
func (g *gateway) border(last *record, rest []*record) int64 {
	if g.fault.kind != "gap" || len(rest) < 2 { return last.seq }
	if !g.fault.shown { g.fault.shown = true; g.confess(rest[0].RequestID, rest[0].Amount, rest[0].Amount) }
	return rest[0].seq
}
func (g *gateway) bendModels(models map[string]*sums) {
	v := &g.fault.victim
	for name, s := range models { if *v == "" && g.fault.kind == "models" && s.Settled > 10 { *v = name } }
	if s := models[*v]; s != nil && g.fault.kind == "models" {
		whole := s.Settled
		s.Settled -= whole * 3 / 10
		if !g.fault.shown { g.fault.shown = true; g.confess(nil, s.Settled, whole) }
	}
}
