package load

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"weighbridge.dev/xk6/clock"
	"weighbridge.dev/xk6/halt"
	"weighbridge.dev/xk6/ledger"
	"weighbridge.dev/xk6/secret"
)

func newRun(t *testing.T, s Settings) *Run {
	t.Helper()
	run, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

func states(t *testing.T, path string) (header ledger.Header, states []ledger.State) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	scanner := bufio.NewScanner(file)
	for n := 0; scanner.Scan(); n++ {
		if n == 0 {
			err = json.Unmarshal(scanner.Bytes(), &header)
		} else {
			states = append(states, ledger.State{})
			err = json.Unmarshal(scanner.Bytes(), &states[len(states)-1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return header, states
}

func TestStateLines(t *testing.T) {
	run := newRun(t, Settings{Instance: "east-1", Keys: secret.NewKeys([]string{"sk-abc"})})
	run.interval = 10 * time.Millisecond
	dir, segment := t.TempDir(), "0:1/2"
	if err := run.OpenLedger(dir, &segment); err != nil {
		t.Fatal(err)
	}
	counts := run.Counts.Of("chat")
	counts.Planned.Add(5)
	counts.Started.Add(4)
	counts.Dropped.Add(1)
	run.Counts.Late(30 * time.Millisecond)
	run.Counts.Late(20 * time.Millisecond)
	began := clock.Now()
	run.Begin(began)
	run.Begin(began.Add(time.Hour))
	run.Halt.Set(halt.SpendCap)
	run.Halt.Set(halt.Interrupted)
	halted, _ := run.Halt.At()
	writer, err := run.Ledger()
	if err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(10 * time.Second)
	for seen := 0; seen < 2 && time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		_, lines := states(t, writer.Path())
		seen = len(lines)
	}
	if err := run.CloseLedger(); err != nil {
		t.Fatal(err)
	}
	if _, err := run.Ledger(); err != ErrNoLedger {
		t.Errorf("after close: %v", err)
	}
	header, lines := states(t, filepath.Join(dir, "east-1-0.ndjson"))
	if header.Instance != "east-1" || *header.Segment != segment || *header.KeyFP == "" || header.PlanHash != nil || header.Seed != nil {
		t.Errorf("header %+v", header)
	}
	if len(lines) < 3 {
		t.Fatalf("%d state lines", len(lines))
	}
	for i, line := range lines {
		if line.Final != (i == len(lines)-1) {
			t.Errorf("line %d of %d: final %v", i, len(lines), line.Final)
		}
	}
	first, last := lines[0], lines[len(lines)-1]
	if first.SchedLagMS != 30 || lines[1].SchedLagMS != 0 {
		t.Errorf("lags %v, %v: the largest of its interval", first.SchedLagMS, lines[1].SchedLagMS)
	}
	if s := last.Scenarios[0]; s.Scenario != "chat" || s.Planned != 5 || s.Started != 4 || s.Dropped != 1 {
		t.Errorf("scenario %+v", s)
	}
	if *last.Halted != "spend_cap" || last.ReservedUSD != nil || last.ElapsedMS <= first.ElapsedMS {
		t.Errorf("last %+v", last)
	}
	if last.BeganAt == nil || *last.BeganAt != began.Wall() || last.HaltedAt == nil || *last.HaltedAt != halted.Wall() {
		t.Errorf("began %v, halted %v: expected %s and %s", last.BeganAt, last.HaltedAt, began.Wall(), halted.Wall())
	}
}

func TestTheLedgerIsOpenedOnce(t *testing.T) {
	run := newRun(t, Settings{})
	dir := t.TempDir()
	if err := run.OpenLedger(dir, nil); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = run.CloseLedger() }()
	if err := run.OpenLedger(dir, nil); err == nil {
		t.Error("opened twice")
	}
}

func TestMalformedSettings(t *testing.T) {
	for name, s := range map[string]Settings{
		"WEIGHBRIDGE_INSTANCE": {Instance: "../x"}, "WEIGHBRIDGE_DURABILITY": {Durability: "sometimes"}, "plan": {PlanPath: "/no/such/plan.json"},
	} {
		if _, err := New(s); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTheMeterSeesThisProcessWork(t *testing.T) {
	m := newMeter()
	sum := 0
	for begin := time.Now(); time.Since(begin) < 60*time.Millisecond; sum++ {
	}
	defer m.stop()
	if u := m.take(clock.Now()); u.cores <= 0.05 || sum == 0 {
		t.Errorf("%v cores", u.cores)
	}
}

func TestTextsAreKeptOnlyWhereThePlanSaysSo(t *testing.T) {
	for plan, want := range map[string]int{
		"": 0,
		`{"schema":"weighbridge.plan/1","run_id":"r"}`:                  0,
		`{"schema":"weighbridge.plan/1","run_id":"r","keep_text":true}`: 1,
	} {
		dir, settings := t.TempDir(), Settings{}
		if plan != "" {
			settings.PlanPath = filepath.Join(t.TempDir(), "plan.json")
			if err := os.WriteFile(settings.PlanPath, []byte(plan), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		run := newRun(t, settings)
		if err := run.OpenLedger(dir, nil); err != nil {
			t.Fatal(err)
		}
		if err := run.CloseLedger(); err != nil {
			t.Fatal(err)
		}
		texts, _ := filepath.Glob(filepath.Join(dir, "*.texts"))
		if len(texts) != want {
			t.Errorf("plan %q: texts %v", plan, texts)
		}
	}
}

func TestOnlyATargetWithoutABillNeedsNoKey(t *testing.T) {
	for plan, want := range map[string]bool{
		"": true,
		`{"schema":"weighbridge.plan/1","run_id":"r"}`:                            true,
		`{"schema":"weighbridge.plan/1","run_id":"r","target":{"bill":"served"}}`: true,
		`{"schema":"weighbridge.plan/1","run_id":"r","target":{"bill":"none"}}`:   false,
	} {
		settings := Settings{}
		if plan != "" {
			settings.PlanPath = filepath.Join(t.TempDir(), "plan.json")
			if err := os.WriteFile(settings.PlanPath, []byte(plan), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if got := !newRun(t, settings).MayCall(); got != want {
			t.Errorf("plan %q: needs a key: %v, want %v", plan, got, want)
		}
	}
}
