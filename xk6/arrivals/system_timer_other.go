//go:build !linux

package arrivals

import "time"

// systemTimer is none: only the runtime's timers are used.
type systemTimer struct{ rung chan struct{} }

func newSystemTimer() *systemTimer { return nil }

func (*systemTimer) set(time.Duration) bool { return false }

func (*systemTimer) close() {}
