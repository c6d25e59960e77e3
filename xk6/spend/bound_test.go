package spend

import (
	"math/big"
	"testing"
)

func tokens(n int64) *int64 { return &n }

// The input always counts 1034 tokens: 10 bytes and the overhead.
func TestTheReserveCountsOnALimitOnlyOnceItWasObeyed(t *testing.T) {
	key := Key{"m", "chat"}
	for name, c := range map[string]struct {
		obeyed bool
		sent   *int64
		output int64
	}{
		"not shown":             {false, tokens(20), 100},
		"shown":                 {true, tokens(20), 20},
		"shown, none sent":      {true, nil, 100},
		"above the largest":     {true, tokens(500), 100},
		"shown, a negative one": {true, tokens(-1), 100},
	} {
		b := bound(3, 7, 11, 100)
		b.LimitObeyed = c.obeyed
		r, err := New(Caps{}, map[Key]Bound{key: b}).Reserve(Call{Key: key, PromptBytes: 10, MaxTokens: c.sent})
		if err != nil {
			t.Fatal(err)
		}
		if want := 3*1034 + 7*c.output + 11; r.Worst().Cmp(big.NewInt(want)) != 0 {
			t.Errorf("%s: want %d, found %s", name, want, r.Worst())
		}
	}
}

func TestACallThatCostsMoreThanItsReserve(t *testing.T) {
	key := Key{"m", "chat"}
	for name, c := range map[string]struct {
		obeyed        bool
		sent          *int64
		input, output *int64
		want          bool
	}{
		"as reserved":                       {true, tokens(20), tokens(1034), tokens(20), false},
		"nothing told":                      {true, tokens(20), nil, nil, false},
		"one more than an obeyed limit":     {true, tokens(20), tokens(1), tokens(21), true},
		"more than a limit never shown":     {false, tokens(20), tokens(1), tokens(21), false},
		"more than the model can write":     {false, nil, tokens(1034), tokens(101), true},
		"more input than bytes and all":     {false, nil, tokens(1035), tokens(100), true},
		"a negative count tells nothing":    {true, tokens(20), tokens(-1), tokens(-1), false},
		"output unknown counts at its most": {false, nil, tokens(1035), nil, true},
	} {
		b := bound(3, 7, 11, 100)
		b.LimitObeyed = c.obeyed
		r, err := New(Caps{}, map[Key]Bound{key: b}).Reserve(Call{Key: key, PromptBytes: 10, MaxTokens: c.sent})
		if err != nil {
			t.Fatal(err)
		}
		if found := r.Exceeded(c.input, c.output); found != c.want {
			t.Errorf("%s: want %v, found %v", name, c.want, found)
		}
	}
	unbounded, err := New(Caps{}, nil).Reserve(Call{Key: key})
	if err != nil || unbounded.Exceeded(tokens(1), tokens(1)) {
		t.Errorf("without a bound nothing is exceeded: %v", err)
	}
}

// Amounts that fill 64 bits are priced as exactly as small ones.
func TestAPriceIsExactAtTheEdgeOf64Bits(t *testing.T) {
	for _, unit := range []string{"0", "1", "4294967296", "9223372036854775807", "18446744073709551615", "18446744073709551616"} {
		for _, count := range []int64{0, 1, 2, 4294967295, 4294967296, 1 << 62} {
			for _, fixed := range []string{"0", "1", "18446744073709551615", "18446744073709551617"} {
				amount := func(text string) *big.Int { n, _ := new(big.Int).SetString(text, 10); return n }
				b := Bound{PerInputToken: amount(unit), PerOutputToken: amount("3"), Fixed: amount(fixed)}
				want := new(big.Int).Mul(b.PerInputToken, big.NewInt(count))
				want.Add(want.Add(want, b.Fixed), new(big.Int).Mul(big.NewInt(3), big.NewInt(count)))
				if found := b.price(count, count); found.Cmp(want) != 0 {
					t.Errorf("%s × %d + %s: expected %s, found %s", unit, count, fixed, want, found)
				}
			}
		}
	}
}
