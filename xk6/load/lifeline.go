package load

import (
	"io"
	"os"

	"weighbridge.dev/xk6/halt"
)

// LifelineVariable says, with the value "stdin", that standard input stays open as long as the process that started
// this one lives.
const LifelineVariable = "WEIGHBRIDGE_LIFELINE"

// DrainWhenOrphaned stops further starts when the process that started this one is gone: nobody would be left to stop
// the spending. Without the variable it does nothing.
func (r *Run) DrainWhenOrphaned() {
	if os.Getenv(LifelineVariable) == "stdin" {
		r.drainAtEnd(os.Stdin)
	}
}

func (r *Run) drainAtEnd(lifeline io.Reader) {
	go func() {
		_, _ = io.Copy(io.Discard, lifeline)
		r.Halt.Set(halt.Interrupted)
	}()
}
