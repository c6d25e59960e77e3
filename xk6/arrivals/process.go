package arrivals

import (
	"fmt"
	"math"
)

// The processes of arrivals.
const (
	Even    = "even"
	Poisson = "poisson"
	Gamma   = "gamma"
)

// Bounds of the gamma process: below, nearly all gaps are 0; above, it cannot be told from even.
const (
	minBurstiness = 0.01
	maxBurstiness = 10_000
)

func checkProcess(process string, burstiness float64) error {
	switch process {
	case Even, Poisson:
		return nil
	case Gamma:
		if math.IsNaN(burstiness) || burstiness < minBurstiness || burstiness > maxBurstiness {
			return fmt.Errorf("burstiness: expected %v to %v, found %v", minBurstiness, maxBurstiness, burstiness)
		}
		return nil
	default:
		return fmt.Errorf("process: expected even, poisson or gamma, found %q", process)
	}
}
