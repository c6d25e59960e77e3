//go:build unix

package load

import (
	"os"
	"os/signal"
	"syscall"

	"weighbridge.dev/xk6/halt"
)

// DrainOnSignal makes SIGUSR1 stop further starts while calls in flight finish.
func (r *Run) DrainOnSignal() {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGUSR1)
	go func() {
		for range signals {
			r.Halt.Set(halt.Interrupted)
		}
	}()
}
