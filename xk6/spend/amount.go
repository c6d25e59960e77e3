package spend

import (
	"bytes"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"
)

// Scale is the number of decimals of an amount.
const Scale = 12

var plain = regexp.MustCompile(`^\d+(\.\d+)?$`)

// ParseUSD reads a decimal string as 10⁻¹² USD; more than 12 decimals are refused, never rounded.
func ParseUSD(text string) (*big.Int, error) {
	if !plain.MatchString(text) {
		return nil, fmt.Errorf("expected a decimal amount of USD such as 1.50, found %q", text)
	}
	whole, fraction, _ := strings.Cut(text, ".")
	fraction = strings.TrimRight(fraction, "0")
	if len(fraction) > Scale {
		return nil, fmt.Errorf("expected at most %d decimals, found %q", Scale, text)
	}
	digits := whole + fraction + strings.Repeat("0", Scale-len(fraction))
	amount, _ := new(big.Int).SetString(digits, 10)
	return amount, nil
}

const zeros = "0000000000000"

// FormatUSD writes 10⁻¹² USD as a plain decimal without trailing zeros.
func FormatUSD(amount *big.Int) string {
	var room [64]byte
	digits := amount.Append(room[:0], 10)
	if missing := Scale + 1 - len(digits); missing > 0 {
		digits = append(append(make([]byte, 0, Scale+1), zeros[:missing]...), digits...)
	}
	point := len(digits) - Scale
	digits = slices.Insert(digits, point, '.')
	return string(bytes.TrimRight(bytes.TrimRight(digits, "0"), "."))
}
