package spend

import (
	"errors"
	"math/big"
	"math/rand/v2"
	"sync"
	"testing"
)

func bound(input, output, fixed, maxOutput int64) Bound {
	return Bound{PerInputToken: big.NewInt(input), PerOutputToken: big.NewInt(output), Fixed: big.NewInt(fixed), MaxOutputTokens: maxOutput}
}

func TestWorstCase(t *testing.T) {
	key := Key{"m", "chat"}
	c := New(nil, map[Key]Bound{key: bound(3, 7, 11, 100)})
	r, err := c.Reserve(key, 50)
	if err != nil {
		t.Fatal(err)
	}
	if want := int64(3*(50+1024) + 7*100 + 11); r.Worst().Int64() != want {
		t.Errorf("want %d, found %s", want, r.Worst())
	}
}

func TestTheCapItselfIsAllowedAndOneMoreIsNot(t *testing.T) {
	key := Key{"m", "image"}
	c := New(big.NewInt(30), map[Key]Bound{key: bound(0, 0, 10, 0)})
	for range 3 {
		if _, err := c.Reserve(key, 0); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := c.Reserve(key, 0); !errors.Is(err, ErrCap) {
		t.Errorf("want ErrCap, found %v", err)
	}
	if reserved, _ := c.Reserved(); reserved.Int64() != 30 {
		t.Errorf("a refusal changed the sum: %s", reserved)
	}
}

func TestNoBound(t *testing.T) {
	if _, err := New(big.NewInt(1), nil).Reserve(Key{"m", "chat"}, 0); !errors.Is(err, ErrNoBound) {
		t.Errorf("want ErrNoBound, found %v", err)
	}
	r, err := New(nil, nil).Reserve(Key{"m", "chat"}, 0)
	if err != nil || r.Worst() != nil {
		t.Errorf("without a cap a missing bound is unknown, not refused: %v", err)
	}
	r.Release() // and settles without a sum
	r.Settle(nil, nil)
}

func TestSettle(t *testing.T) {
	n := func(v int64) *int64 { return &v }
	key := Key{"m", "chat"}
	const worst = 3*1034 + 7*100 + 11
	cases := []struct {
		name          string
		input, output *int64
		want          int64
	}{
		{"usage", n(20), n(5), 3*20 + 7*5 + 11},
		{"no output count keeps its worst case", n(20), nil, 3*20 + 7*100 + 11},
		{"no input count keeps its worst case", nil, n(5), 3*1034 + 7*5 + 11},
		{"negative counts are none", n(-1), n(-1), worst},
		{"usage above the worst case", n(1_000_000), n(5), worst},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			limit := New(nil, map[Key]Bound{key: bound(3, 7, 11, 100)})
			r, err := limit.Reserve(key, 10)
			if err != nil {
				t.Fatal(err)
			}
			r.Settle(c.input, c.output)
			if reserved, _ := limit.Reserved(); reserved.Int64() != c.want {
				t.Errorf("want %d, found %s", c.want, reserved)
			}
		})
	}
}

// Whatever many callers do at once, the sum never passes the cap, and it is the sum of what they hold.
func TestTheSumNeverPassesTheCap(t *testing.T) {
	const callers, rounds, limit = 16, 400, 100_000
	bounds := map[Key]Bound{{"a", "chat"}: bound(1, 2, 3, 500), {"b", "image"}: bound(0, 0, 7777, 0)}
	c := New(big.NewInt(limit), bounds)
	check := func() {
		if reserved, _ := c.Reserved(); reserved.Sign() < 0 || reserved.Int64() > limit {
			t.Errorf("the sum is %s of %d", reserved, limit)
		}
	}
	var group sync.WaitGroup
	held := make([]int64, callers)
	for caller := range callers {
		group.Go(func() {
			random := rand.New(rand.NewPCG(1, uint64(caller)))
			for range rounds {
				key := Key{"a", "chat"}
				if random.IntN(2) == 0 {
					key = Key{"b", "image"}
				}
				r, err := c.Reserve(key, random.Int64N(2000))
				check()
				if err != nil {
					continue
				}
				switch random.IntN(8) {
				case 0:
					input, output := random.Int64N(4000), random.Int64N(1000)
					r.Settle(&input, &output)
				default:
					r.Release()
				}
				held[caller] += r.held.Int64()
				check()
			}
		})
	}
	group.Wait()
	var sum int64
	for _, h := range held {
		sum += h
	}
	if reserved, _ := c.Reserved(); reserved.Int64() != sum || sum == 0 {
		t.Errorf("the sum is %s, the callers hold %d", reserved, sum)
	}
}

func TestAmounts(t *testing.T) {
	for text, want := range map[string]string{
		"0": "0", "1": "1000000000000", "1.5": "1500000000000", "0.000000000001": "1", "12.3400": "12340000000000",
		"98765432109876543210.5": "98765432109876543210500000000000",
	} {
		amount, err := ParseUSD(text)
		if err != nil || amount.String() != want {
			t.Errorf("%s: %v, %v", text, amount, err)
		}
	}
	for _, text := range []string{"", "-1", "1e3", "1.", ".5", "0.0000000000001", " 1", "1,5", "NaN"} {
		if amount, err := ParseUSD(text); err == nil {
			t.Errorf("%q was read as %s", text, amount)
		}
	}
	for units, want := range map[int64]string{0: "0", 1: "0.000000000001", 1_500_000_000_000: "1.5", 2_000_000_000_000: "2"} {
		if text := FormatUSD(big.NewInt(units)); text != want {
			t.Errorf("%d: %s", units, text)
		}
	}
}
