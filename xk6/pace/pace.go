// Package pace decides how often the garbage collector runs. A collection delays time stamps and costs CPU, so a small
// process should hardly have one; memory that nobody needs is no good either, so a large one should not let its garbage
// grow to twice what it uses.
package pace

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

const (
	// rarely is GOGC: below the limit it alone decides.
	rarely = 400
	// quiet is how much memory the process may take before collections follow closer on one another. It holds 2,000
	// streams in pool mode.
	quiet = 144 << 20
	// perUser is what each virtual user of k6 adds to that: its runtime and a stream.
	perUser = 128 << 10
	// slack is how much larger than what is in use the heap of a large process may grow.
	slack = 1.5
)

// Start takes over from the runtime's own pace, unless GOGC or GOMEMLIMIT say that somebody else has.
func Start() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	ours.Store(true)
	debug.SetGCPercent(rarely)
	debug.SetMemoryLimit(quiet)
	afterEach(newKeeper().adjust)
}

var (
	ours  atomic.Bool // whether the pace is kept here
	users atomic.Int64
)

// stride is after how many virtual users the limit follows them: each setting of it stops the world.
const stride = 64

// AddUser makes room for one more virtual user. Where they are made by the thousand, collections would else follow closely
// on one another while nothing of what is there can go.
func AddUser() {
	if count := users.Add(1); count%stride == 0 && ours.Load() {
		// A collection that ends meanwhile may have set a higher limit; the next one does so again.
		debug.SetMemoryLimit(max(limitFor(0, 0, count), debug.SetMemoryLimit(-1)))
	}
}

// afterEach calls f after every collection: the finalizer of an object that nobody holds is run by each of them.
func afterEach(f func()) {
	type canary struct{ _ [16]byte }
	var arm func(*canary)
	arm = func(c *canary) {
		f()
		runtime.SetFinalizer(c, arm)
	}
	runtime.SetFinalizer(&canary{}, arm)
}

// keeper moves the memory limit with what is in use, so that the limit never makes the collector work without a pause.
type keeper struct{ samples []metrics.Sample }

func newKeeper() *keeper {
	return &keeper{samples: []metrics.Sample{
		{Name: "/gc/heap/live:bytes"},
		{Name: "/memory/classes/total:bytes"},
		{Name: "/memory/classes/heap/objects:bytes"},
		{Name: "/memory/classes/heap/free:bytes"},
		{Name: "/memory/classes/heap/released:bytes"},
	}}
}

func (k *keeper) adjust() {
	metrics.Read(k.samples)
	of := func(i int) uint64 { return k.samples[i].Value.Uint64() }
	debug.SetMemoryLimit(limitFor(of(0), of(1)-of(2)-of(3)-of(4), users.Load()))
}

// limitFor gives the memory limit for so many bytes of live heap, and of all that is neither objects nor free: stacks,
// the collector's own tables, what spans cannot use; and for so many virtual users.
func limitFor(live, rest uint64, users int64) int64 {
	return max(quiet+users*perUser, int64(math.Ceil(float64(live)*slack))+int64(rest))
}
