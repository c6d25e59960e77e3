package e2e

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// held is a target whose paid calls wait until the test lets them go.
func held(t *testing.T) (g *gateway, arrived <-chan string, release func()) {
	g = newGateway(t)
	calls, gate := make(chan string, 1000), make(chan struct{})
	var once sync.Once
	release = func() { once.Do(func() { close(gate) }) }
	g.mu.Lock()
	g.beforePaid = func(_, marker string) {
		calls <- marker
		<-gate
	}
	g.mu.Unlock()
	t.Cleanup(release)
	return g, calls, release
}

func await(t *testing.T, calls <-chan string, n int) {
	t.Helper()
	for range n {
		select {
		case <-calls:
		case <-time.After(20 * time.Second):
			t.Fatal("the calls never arrived")
		}
	}
}

func TestADrainFinishesWhatIsInFlightAndStartsNothingMore(t *testing.T) {
	g, calls, release := held(t)
	command, dir, output := start(t, g, setup{drainMS: 20000, scenarios: []planScenario{textScenario("chat", "chat", 20_000, 60_000)}})
	await(t, calls, 3)
	if err := command.Process.Signal(syscall.SIGUSR1); err != nil {
		t.Fatal(err)
	}
	eventually(t, "a state line that says interrupted", func() bool {
		text, _ := os.ReadFile(filepath.Join(dir, "calls", "i0-0.ndjson"))
		return strings.Contains(string(text), `"halted":"interrupted"`)
	})
	release()
	if err := command.Wait(); err != nil {
		t.Fatalf("a drained run ends normally: %v\n%s", err, output)
	}
	b := read(t, dir)
	s := b.scenario(t, "chat")
	if s.Planned != 1200 || s.Held == 0 || s.Planned != s.Started+s.Dropped+s.Held || s.OK != s.Started {
		t.Errorf("state: %+v", s)
	}
	if int64(len(b.paid)) != s.Started || len(b.intents) != len(b.paid) || len(g.received()) != len(b.paid) {
		t.Errorf("%d started, %d rows, %d intents, %d received", s.Started, len(b.paid), len(b.intents), len(g.received()))
	}
	if reason := b.last(t).Halted; reason == nil || *reason != "interrupted" {
		t.Errorf("halted: %v", reason)
	}
}

// The process that reads k6's output can be killed while calls are in flight: they still finish and have their rows.
func TestAReaderOfTheOutputThatGoesAwayTakesNothingWithIt(t *testing.T) {
	g, calls, release := held(t)
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	command, dir, _ := start(t, g, setup{
		drainMS: 20000, scenarios: []planScenario{textScenario("chat", "chat", 10_000, 1000)}, printsTo: writer,
		args: []string{"--http-debug=headers"},
	})
	_ = writer.Close()
	go func() { _, _ = io.Copy(io.Discard, reader) }()
	await(t, calls, 3)
	_ = reader.Close()
	release()
	if err := command.Wait(); err != nil {
		t.Fatalf("k6: %v", err)
	}
	b := read(t, dir)
	if s := b.scenario(t, "chat"); s.OK != 10 || len(b.paid) != 10 || len(b.intents) != 10 {
		t.Errorf("%d rows, %d intents, state %+v", len(b.paid), len(b.intents), s)
	}
}

func TestAnInterruptedRunWritesTheRowsOfWhatItCut(t *testing.T) {
	g, calls, _ := held(t)
	command, dir, _ := start(t, g, setup{drainMS: 20000, scenarios: []planScenario{
		textScenario("chat", "chat", 10_000, 60_000),
		{Name: "vid", Kind: "video", Model: "v", Arrival: constant(1000, 60_000), MaxInFlight: 5, Video: map[string]any{"seconds": 4, "size": "1280x720"}},
	}})
	await(t, calls, 4)
	if err := command.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if err := command.Wait(); err == nil || command.ProcessState.ExitCode() != 105 {
		t.Errorf("want k6's exit code of an external abort, found %v", err)
	}
	b := read(t, dir)
	if len(b.intents) == 0 || len(b.intents) != len(b.paid) || len(g.received()) != len(b.intents) {
		t.Fatalf("%d intents, %d rows, %d received", len(b.intents), len(b.paid), len(g.received()))
	}
	for id, row := range b.paid {
		if row.Outcome != "interrupted" || row.Blame != "none" {
			t.Errorf("%s: %s, %s", id, row.Outcome, row.Blame)
		}
	}
	if b.last(t).Halted == nil || b.scenario(t, "chat").InFlight != 0 {
		t.Errorf("final state: %+v", b.last(t))
	}
}

func TestTheGracefulStopCutsWhatDoesNotEnd(t *testing.T) {
	g, _, _ := held(t)
	command, dir, output := start(t, g, setup{drainMS: 300, scenarios: []planScenario{textScenario("chat", "chat", 5_000, 1000)}})
	if err := command.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	b := read(t, dir)
	if len(b.paid) != 5 {
		t.Fatalf("want 5 rows, found %d", len(b.paid))
	}
	for id, row := range b.paid {
		if row.Outcome != "interrupted" {
			t.Errorf("%s: %s", id, row.Outcome)
		}
	}
}

func TestKillLeavesAnIntentForEveryCallReceived(t *testing.T) {
	g, calls, _ := held(t)
	command, dir, _ := start(t, g, setup{drainMS: 20000, scenarios: []planScenario{textScenario("chat", "chat", 50_000, 60_000)}})
	await(t, calls, 10)
	if err := command.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = command.Wait()
	b := read(t, dir)
	if received := len(g.received()); received < 10 || len(b.intents) < received {
		t.Errorf("%d calls were received, the ledger has %d intents", received, len(b.intents))
	}
}

func TestStartsWithoutAFreeSlotAreDroppedAndKeepTheirNumber(t *testing.T) {
	g, calls, release := held(t)
	scenario := textScenario("chat", "chat", 10_000, 2000)
	scenario.MaxInFlight = 2
	command, dir, output := start(t, g, setup{drainMS: 20000, scenarios: []planScenario{scenario}})
	await(t, calls, 2)
	time.AfterFunc(time.Second, release) // the starts of this second find both slots taken
	if err := command.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	b := read(t, dir)
	s := b.scenario(t, "chat")
	if s.Planned != 20 || s.Dropped < 5 || s.Started+s.Dropped != 20 || int64(len(b.paid)) != s.Started {
		t.Errorf("state %+v, %d rows", s, len(b.paid))
	}
	first := b.paid["i0/chat/0/1"]
	origin, err := time.Parse(time.RFC3339, *first.PlannedAt)
	if err != nil {
		t.Fatal(err)
	}
	for id, row := range b.paid {
		planned, err := time.Parse(time.RFC3339, *row.PlannedAt)
		if err != nil {
			t.Fatal(err)
		}
		want := time.Duration(*row.Iteration) * 100 * time.Millisecond
		if diff := planned.Sub(origin) - want; diff < -time.Millisecond || diff > time.Millisecond {
			t.Errorf("%s: start %d was planned %s after the first, want %s", id, *row.Iteration, planned.Sub(origin), want)
		}
	}
}

func TestPlannedStaysPlannedWhenTheClientIsStarved(t *testing.T) {
	g := newGateway(t)
	command, dir, output := start(t, g, setup{drainMS: 20000, scenarios: []planScenario{textScenario("chat", "chat", 20_000, 3000)}})
	eventually(t, "a first call", func() bool { return len(g.received()) > 0 })
	if err := command.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	time.Sleep(700 * time.Millisecond) // the starvation itself
	if err := command.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	if err := command.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	b := read(t, dir)
	late, lag := 0, 0.0
	for _, row := range b.paid {
		lag = max(lag, *row.ScheduleLagMS)
		if *row.ScheduleLagMS > 200 {
			late++
		}
	}
	if late < 5 || lag < 500 {
		t.Errorf("a client stopped for 700 ms shows %d late starts and a lag of at most %v ms", late, lag)
	}
	worst := 0.0
	for _, state := range b.states {
		worst = max(worst, state.SchedLagMS)
	}
	if worst < 500 {
		t.Errorf("the state lines show a lag of at most %v ms", worst)
	}
}
