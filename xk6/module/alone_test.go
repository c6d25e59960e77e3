package module

import (
	"testing"
)

func TestGapsAreThoseOfTheReport(t *testing.T) {
	// What itlTable of src/measure/stream-figures.ts gives for the same row.
	histogram, longest := [][2]float64{{0, 2}, {10.33, 5}, {21.57, 3}}, 21.0
	for percent, want := range map[float64]float64{50: 10.155, 95: 20.922, 99: 20.984} {
		if got := gapAt(histogram, longest, percent); got != want {
			t.Errorf("p%v: want %v, found %v", percent, want, got)
		}
	}
}
