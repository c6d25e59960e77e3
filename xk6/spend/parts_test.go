package spend

import (
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
)

func amount(n int64) *big.Int { return big.NewInt(n) }

func TestACapOfAPartStopsThatPartAlone(t *testing.T) {
	a, b := Key{"a", "image"}, Key{"b", "image"}
	for name, c := range map[string]struct {
		caps  Caps
		scope Scope
		part  string
	}{
		"scenario": {Caps{Run: amount(1000), ByScenario: map[string]*big.Int{"one": amount(25)}}, ScopeScenario, "one"},
		"model":    {Caps{Run: amount(1000), ByModel: map[string]*big.Int{"a": amount(25)}}, ScopeModel, "a"},
		"both are asked before the run": {
			Caps{Run: amount(25), ByScenario: map[string]*big.Int{"one": amount(25)}}, ScopeScenario, "one",
		},
		"a model and kind, by the cap of the run": {Caps{Run: amount(25)}, ScopeKind, ""},
	} {
		limit := New(c.caps, map[Key]Bound{a: bound(0, 0, 10, 0), b: bound(0, 0, 1, 0)})
		var first *Reservation
		for range 2 {
			r, err := limit.Reserve(Call{Key: a, Scenario: "one"})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			first = r
		}
		_, err := limit.Reserve(Call{Key: a, Scenario: "one"})
		var refusal *CapError
		if !errors.As(err, &refusal) || !errors.Is(err, ErrCap) || refusal.Scope != c.scope || refusal.Name != c.part {
			t.Errorf("%s: want %s %s, found %v", name, c.scope, c.part, err)
		}
		if reserved, _ := limit.Reserved(); reserved.Int64() != 20 {
			t.Errorf("%s: a refusal changed the sum: %s", name, reserved)
		}
		if _, err := limit.Reserve(Call{Key: b, Scenario: "two"}); err != nil {
			t.Errorf("%s: the others go on: %v", name, err)
		}
		first.Release()
		if _, again := limit.Reserve(Call{Key: a, Scenario: "one"}); again == nil || again.Error() != err.Error() {
			t.Errorf("%s: once stopped, a part stays stopped, for the same reason: %v", name, again)
		}
	}
}

// A dear kind leaves the rest of the cap to cheaper ones; the run ends with the last of them.
func TestTheRunStopsWithItsLastKind(t *testing.T) {
	dear, cheap := Key{"a", "video"}, Key{"b", "chat"}
	limit := New(Caps{Run: amount(25)}, map[Key]Bound{dear: bound(0, 0, 26, 0), cheap: bound(0, 0, 10, 0)})
	scopes := []Scope{}
	for _, key := range []Key{dear, cheap, dear, cheap, cheap} {
		_, err := limit.Reserve(Call{Key: key})
		var refusal *CapError
		if errors.As(err, &refusal) {
			scopes = append(scopes, refusal.Scope)
		} else if err != nil || key == dear {
			t.Errorf("%v: %v", key, err)
		}
	}
	if want := []Scope{ScopeKind, ScopeKind, ScopeRun}; !slices.Equal(scopes, want) {
		t.Errorf("want %v, found %v", want, scopes)
	}
	if reserved, _ := limit.Reserved(); reserved.Int64() != 20 {
		t.Errorf("want 20, found %s", reserved)
	}
}

func TestARefusalTellsTheCallAndTheCapThatWouldHoldIt(t *testing.T) {
	key := Key{"m/large", "image"}
	bounds := map[Key]Bound{key: bound(0, 0, 420_000_000_000, 0)}
	cap := "0.5"
	for _, c := range []struct {
		caps  func(limit *big.Int) Caps
		parts int64
		want  string
	}{
		{func(limit *big.Int) Caps { return Caps{Run: limit} }, 1,
			"one image call to m/large can cost up to $0.42, but only $0.08 of the $0.5 spend cap was left. A cap of $0.84 would have allowed it"},
		{func(limit *big.Int) Caps { return Caps{ByModel: map[string]*big.Int{"m/large": limit}} }, 1,
			"one image call to m/large can cost up to $0.42, but only $0.08 of the $0.5 spend cap of model m/large was left. " +
				"A cap of $0.84 would have allowed it"},
		{func(limit *big.Int) Caps { return Caps{Run: limit} }, 2,
			"one image call to m/large can cost up to $0.42, but only $0.25 of the $0.25 share of the spend cap was left. " +
				"A share of $0.42 would have allowed it"},
	} {
		whole, _ := ParseUSD(cap)
		limit := New(c.caps(whole), bounds)
		limit.Share(amount(1), amount(c.parts))
		var err error
		for err == nil {
			_, err = limit.Reserve(Call{Key: key})
		}
		if err.Error() != c.want {
			t.Errorf("want %s\nfound %s", c.want, err)
		}
	}
}

func TestAPartWithACapNeedsABound(t *testing.T) {
	limit := New(Caps{ByModel: map[string]*big.Int{"a": amount(25)}}, nil)
	if _, err := limit.Reserve(Call{Key: Key{"a", "chat"}}); !errors.Is(err, ErrNoBound) {
		t.Errorf("want ErrNoBound, found %v", err)
	}
	if _, err := limit.Reserve(Call{Key: Key{"b", "chat"}}); err != nil {
		t.Errorf("a model without a cap: %v", err)
	}
	if !limit.Limited() || New(Caps{}, nil).Limited() {
		t.Error("a cap of a part is a cap")
	}
}

// However a run is cut into segments, all instances together never reserve more than each cap.
func TestTheSharesOfAllSegmentsAreAtMostTheCap(t *testing.T) {
	key := Key{"m", "image"}
	random := rand.New(rand.NewPCG(3, 1))
	for range 200 {
		whole := 1 + random.Int64N(500)
		parts := make([]int64, 1+random.IntN(7))
		den := int64(0)
		for i := range parts {
			parts[i] = random.Int64N(9)
			den += parts[i]
		}
		if den == 0 {
			continue
		}
		sums := map[string]int64{}
		for _, num := range parts {
			for scope, caps := range map[string]Caps{
				"run": {Run: amount(whole)}, "scenario": {ByScenario: map[string]*big.Int{"s": amount(whole)}},
				"model": {ByModel: map[string]*big.Int{"m": amount(whole)}},
			} {
				limit := New(caps, map[Key]Bound{key: bound(0, 0, 1, 0)})
				limit.Share(amount(num), amount(den))
				limit.Share(amount(num), amount(den)) // each scenario's executor says it
				for {
					if _, err := limit.Reserve(Call{Key: key, Scenario: "s"}); err != nil {
						break
					}
					sums[scope]++
				}
			}
		}
		for scope, sum := range sums {
			if sum > whole || sum < whole-int64(len(parts)) {
				t.Fatalf("%s: the instances took %d of %d in parts %v", scope, sum, whole, parts)
			}
		}
	}
}

// Whatever many callers do at once, no sum ever passes its cap, and each is the sum of what its callers hold.
func TestTheSumNeverPassesTheCap(t *testing.T) {
	const callers, rounds, limit, part = 16, 400, 100_000, 30_000
	obeyed := bound(1, 2, 3, 500)
	obeyed.LimitObeyed = true
	bounds := map[Key]Bound{{"a", "chat"}: obeyed, {"b", "image"}: bound(0, 0, 7777, 0), {"c", "chat"}: bound(2, 1, 0, 900)}
	c := New(Caps{
		Run: amount(limit), ByScenario: map[string]*big.Int{"s0": amount(part)}, ByModel: map[string]*big.Int{"b": amount(part)},
	}, bounds)
	check := func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		for _, b := range []*budget{c.run, c.scenarios["s0"], c.models["b"]} {
			if b.reserved.Sign() < 0 || b.reserved.Cmp(b.limit) > 0 {
				t.Errorf("%s %s: the sum is %s of %s", b.scope, b.name, &b.reserved, b.limit)
			}
		}
	}
	var group sync.WaitGroup
	type key struct{ scenario, model string }
	held := make([]map[key]int64, callers)
	for caller := range callers {
		held[caller] = map[key]int64{}
		group.Go(func() {
			random := rand.New(rand.NewPCG(1, uint64(caller)))
			keys := []Key{{"a", "chat"}, {"b", "image"}, {"c", "chat"}}
			for range rounds {
				call := Call{
					Key: keys[random.IntN(3)], Scenario: fmt.Sprintf("s%d", random.IntN(3)),
					PromptBytes: random.Int64N(2000), MaxTokens: tokens(random.Int64N(600)),
				}
				r, err := c.Reserve(call)
				check()
				if err != nil {
					continue
				}
				if worst := r.Worst(); worst.Cmp(r.held) != 0 {
					t.Errorf("held %s of %s", r.held, worst)
				}
				switch random.IntN(8) {
				case 0: // usage, above the worst case too
					r.Settle(tokens(random.Int64N(4000)), tokens(random.Int64N(1000)))
				case 1:
					r.Settle(nil, tokens(random.Int64N(1000)))
					r.Settle(tokens(random.Int64N(4000)), nil)
				default:
					r.Release()
					r.Settle(tokens(1), tokens(1)) // what is given back stays given back
				}
				held[caller][key{call.Scenario, call.Model}] += r.held.Int64()
				check()
			}
		})
	}
	group.Wait()
	var run, scenario, model int64
	for _, mine := range held {
		for key, amount := range mine {
			run += amount
			if key.scenario == "s0" {
				scenario += amount
			}
			if key.model == "b" {
				model += amount
			}
		}
	}
	for _, s := range []struct {
		b    *budget
		want int64
	}{{c.run, run}, {c.scenarios["s0"], scenario}, {c.models["b"], model}} {
		if s.b.reserved.Cmp(amount(s.want)) != 0 {
			t.Errorf("%s %s: the sum is %s, the callers hold %d", s.b.scope, s.b.name, &s.b.reserved, s.want)
		}
	}
	if run == 0 {
		t.Error("nothing was ever held")
	}
}
