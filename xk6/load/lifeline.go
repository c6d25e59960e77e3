package load

import (
	"bufio"
	"io"
	"os"
	"strings"

	"weighbridge.dev/xk6/halt"
)

// LifelineVariable says, with the value "stdin", that standard input stays open as long as the process that started
// this one lives.
const LifelineVariable = "WEIGHBRIDGE_LIFELINE"

// DrainWhenOrphaned stops further starts when the process that started this one says so on standard input, or is gone:
// nobody would be left to stop the spending. Without the variable it does nothing.
func (r *Run) DrainWhenOrphaned() {
	if os.Getenv(LifelineVariable) == "stdin" {
		r.follow(os.Stdin)
	}
}

// follow reads lines `halt <reason>` until the lifeline ends. What it does not know is left aside: only our own command
// line writes there.
func (r *Run) follow(lifeline io.Reader) {
	go func() {
		for lines := bufio.NewScanner(lifeline); lines.Scan(); {
			name, order := strings.CutPrefix(lines.Text(), "halt ")
			if reason, known := halt.Parse(name); order && known {
				r.Halt.Set(reason)
			}
		}
		r.Halt.Set(halt.Interrupted)
	}()
}
