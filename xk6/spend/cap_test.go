package spend

import (
	"errors"
	"math/big"
	"testing"
)

func bound(input, output, fixed, maxOutput int64) Bound {
	return Bound{PerInputToken: big.NewInt(input), PerOutputToken: big.NewInt(output), Fixed: big.NewInt(fixed), MaxOutputTokens: maxOutput}
}

func TestWorstCase(t *testing.T) {
	key := Key{"m", "chat"}
	c := New(Caps{}, map[Key]Bound{key: bound(3, 7, 11, 100)})
	r, err := c.Reserve(Call{Key: key, PromptBytes: 50})
	if err != nil {
		t.Fatal(err)
	}
	if want := int64(3*(50+1024) + 7*100 + 11); r.Worst().Int64() != want {
		t.Errorf("want %d, found %s", want, r.Worst())
	}
}

func TestTheCapItselfIsAllowedAndOneMoreIsNot(t *testing.T) {
	key := Key{"m", "image"}
	c := New(Caps{Run: big.NewInt(30)}, map[Key]Bound{key: bound(0, 0, 10, 0)})
	for range 3 {
		if _, err := c.Reserve(Call{Key: key}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := c.Reserve(Call{Key: key}); !errors.Is(err, ErrCap) {
		t.Errorf("want ErrCap, found %v", err)
	}
	if reserved, _ := c.Reserved(); reserved.Int64() != 30 {
		t.Errorf("a refusal changed the sum: %s", reserved)
	}
}

func TestNoBound(t *testing.T) {
	if _, err := New(Caps{Run: big.NewInt(1)}, nil).Reserve(Call{Key: Key{"m", "chat"}}); !errors.Is(err, ErrNoBound) {
		t.Errorf("want ErrNoBound, found %v", err)
	}
	r, err := New(Caps{}, nil).Reserve(Call{Key: Key{"m", "chat"}})
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
			limit := New(Caps{}, map[Key]Bound{key: bound(3, 7, 11, 100)})
			r, err := limit.Reserve(Call{Key: key, PromptBytes: 10})
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
