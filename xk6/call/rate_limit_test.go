package call

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"weighbridge.dev/xk6/clock"
	"weighbridge.dev/xk6/ledger"
	"weighbridge.dev/xk6/load"
	"weighbridge.dev/xk6/plan"
)

func TestTheWaitForTheRateLimitIsNoLatenessOfTheClient(t *testing.T) {
	const limit = 300 * time.Millisecond
	b := newBench(t, "", func(w http.ResponseWriter, _ *http.Request) { flush(w, plainChat) })
	n := int64(0)
	b.caller.Iteration, b.caller.VU = &n, 1
	b.caller.Wait = func(context.Context) error {
		time.Sleep(limit)
		return nil
	}
	b.caller.Run.Planned.Set(1, n, load.PlannedStart{At: clock.Now(), Timed: true, Phase: plan.Measured})
	row := b.call(t, chatRequest(false)).Row
	if err := b.caller.Run.CloseLedger(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(b.dir, "i0-0.ndjson"))
	if err != nil {
		t.Fatal(err)
	}
	var late float64
	for line := range strings.Lines(string(text)) {
		var state ledger.State
		if err := json.Unmarshal([]byte(line), &state); err == nil && state.Schema == ledger.StateSchema {
			late = max(late, state.SchedLagMS)
		}
	}
	// The row's start is taken a moment after the state line's.
	if row.ScheduleLagMS == nil || *row.ScheduleLagMS-late < clock.Milliseconds(limit) || late <= 0 {
		t.Errorf("the row is %v ms after its planned start, the client %v ms late; the limit held it back for %s",
			*row.ScheduleLagMS, late, limit)
	}
}
