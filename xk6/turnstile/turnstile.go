// Package turnstile keeps work that can wait behind work that is being timed. When hundreds of streams end at once, the
// accounting of the first ones would run before the last events of the others are read, because the runtime asks the
// network only when nothing else can run: those events would be stamped as late as the accounting took.
package turnstile

import (
	"runtime"
	"sync"
)

// Turnstile lets goroutines through, a few at once for each processor: all that was runnable has run and the network has
// been asked before the first of them.
type Turnstile struct{ lanes chan *lane }

// lane is one way through. Its owner alone uses it.
type lane struct {
	poll poller
	left int // who may pass before the network is asked again
}

// atOnce is how much work may stand between what is read and its stamp: some 0.1 ms. To ask for each piece alone costs
// as much as a fifth of it, and makes the requests that follow wake the target one by one.
const atOnce = 4

// poller parks a goroutine until the runtime has asked the network.
type poller interface{ wait() }

// New makes a turnstile with a lane for each processor. Where the system has no means to ask the network, passing only
// yields.
func New() *Turnstile {
	count := runtime.GOMAXPROCS(0)
	t := &Turnstile{lanes: make(chan *lane, count)}
	for range count {
		t.lanes <- &lane{poll: newPoller()}
	}
	return t
}

// Pass waits for a turn. It never waits for what another goroutine does after its own turn.
func (t *Turnstile) Pass() {
	own := <-t.lanes
	if own.left == 0 {
		own.poll.wait()
		own.left = atOnce
	}
	own.left--
	t.lanes <- own
}

// yielder is the poller of systems without one.
type yielder struct{}

func (yielder) wait() { runtime.Gosched() }

var shared = sync.OnceValue(New)

// Pass waits for a turn at the turnstile of the process.
func Pass() { shared().Pass() }
