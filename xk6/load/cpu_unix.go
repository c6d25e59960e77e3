//go:build unix

package load

import (
	"syscall"
	"time"
)

// cpuTime is the processor time of this process, user and system.
func cpuTime() time.Duration {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
