package stamp

import (
	"math"
	"sync/atomic"
	"time"

	"weighbridge.dev/xk6/clock"
)

// ahead is by how much the wall clock was ahead of the process's own when last compared, ns.
var ahead atomic.Int64

func init() { compare() }

// compare reads the wall clock between two looks at the process's own, as close together as a few tries bring them: who
// is put off between them compares wrongly.
func compare() int64 {
	closest := time.Duration(math.MaxInt64)
	var difference int64
	for range 5 {
		before := clock.Now()
		wall := time.Now().UnixNano()
		after := clock.Now()
		if apart := after.Since(before); apart < closest {
			closest, difference = apart, wall-int64(before.Add(apart/2))
		}
		if closest < time.Microsecond {
			break
		}
	}
	ahead.Store(difference)
	return difference
}

const (
	// soon is how soon bytes are read where nothing is in the way. Later ones have the clocks compared again: what looks
	// late may be a step of the wall clock.
	soon = 100 * time.Microsecond
	// longest is how long bytes can have waited to be read; more is no waiting but a wall clock that goes its own ways.
	longest = 10 * time.Second
)

// arrival is the moment at which bytes that are read now came, by the kernel's stamp on the wall clock; now where there
// is none that can be.
func arrival(now clock.Moment, wallNS int64) clock.Moment {
	if wallNS == 0 {
		return now
	}
	at := clock.Moment(wallNS - ahead.Load())
	if waited := now.Since(at); waited < 0 || waited > soon {
		at = clock.Moment(wallNS - compare())
	}
	if waited := now.Since(at); waited < 0 || waited > longest {
		return now
	}
	return at
}
