//go:build unix

package load

import (
	"os"
	"os/signal"
	"syscall"

	"weighbridge.dev/xk6/halt"
)

// DrainOnSignal makes SIGUSR1 stop further starts while calls in flight finish. A reader of our output that goes away
// must not take the run with it: SIGPIPE is ignored, writes to it fail.
func (r *Run) DrainOnSignal() {
	signal.Ignore(syscall.SIGPIPE)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGUSR1)
	go func() {
		for range signals {
			r.Halt.Set(halt.Interrupted)
		}
	}()
}
