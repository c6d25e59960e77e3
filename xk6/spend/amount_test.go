package spend

import (
	"math/big"
	"testing"
)

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
