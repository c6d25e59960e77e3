// Package load holds what all virtual users of this process share: plan, keys, ledger, spend cap, halt and counts.
package load

import (
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"weighbridge.dev/xk6/clock"
	"weighbridge.dev/xk6/halt"
	"weighbridge.dev/xk6/ledger"
	"weighbridge.dev/xk6/plan"
	"weighbridge.dev/xk6/secret"
	"weighbridge.dev/xk6/spend"
	"weighbridge.dev/xk6/transport"
	"weighbridge.dev/xk6/version"
)

// ErrNoLedger refuses a call that nobody would account for.
var ErrNoLedger = errors.New("no ledger is open: run k6 with --out weighbridge=DIR")

var instancePattern = regexp.MustCompile(`^[0-9a-zA-Z_-]+$`)

// Run is the process-wide state of one load run.
type Run struct {
	Plan     *plan.Plan // nil without WEIGHBRIDGE_PLAN
	Key      secret.Key // the first, which masks them all
	Keys     secret.Keys
	Headers  http.Header    // of every request to the target
	Roots    *x509.CertPool // nil for the system's
	Instance string
	Halt     *halt.Halt
	Cap      *spend.Cap
	Counts   *Counts
	Planned  *PlannedStarts
	Starts   *Starts
	Pauses   *Pauses
	InFlight *InFlight

	named       bool // by WEIGHBRIDGE_INSTANCE
	sends       bool
	syncIntents bool
	interval    time.Duration
	latest      atomic.Pointer[ledger.State]
	began       atomic.Pointer[clock.Moment]
	stopRules   *stopRules // nil for none

	traces traces

	mu     sync.Mutex
	ledger *ledger.Writer
	later  func() error // opens it; nil where it is open, or not wanted
	stop   func() error
}

// Settings of a run, from the environment.
type Settings struct {
	PlanPath, Instance, Durability string
	Keys                           secret.Keys
	Roots                          *x509.CertPool
	// SendsNothing: an archive or an inspection needs no key, and keeps none.
	SendsNothing bool
}

// SettingsFromEnvironment reads WEIGHBRIDGE_PLAN, _INSTANCE, _DURABILITY, roots and proxies, and takes the keys out of the
// environment. A command that sends nothing reads no file with a key.
func SettingsFromEnvironment(sends bool) (Settings, error) {
	var keys secret.Keys
	var err error
	if sends {
		keys, err = secret.Take()
	} else {
		secret.Drop()
	}
	roots, rootsErr := transport.Roots()
	return Settings{
		PlanPath:   os.Getenv("WEIGHBRIDGE_PLAN"),
		Instance:   os.Getenv("WEIGHBRIDGE_INSTANCE"),
		Durability: os.Getenv("WEIGHBRIDGE_DURABILITY"),
		Keys:       keys,
		Roots:      roots, SendsNothing: !sends,
	}, errors.Join(err, rootsErr, transport.CheckProxies())
}

// New makes a run; it opens nothing.
func New(s Settings) (*Run, error) {
	run := &Run{
		Key: s.Keys.First(), Keys: s.Keys, Roots: s.Roots, Instance: s.Instance, Halt: halt.New(), Counts: NewCounts(), Planned: NewPlannedStarts(),
		Starts: NewStarts(), Pauses: NewPauses(), InFlight: NewInFlight(plan.Limits{}),
		interval: time.Second, named: s.Instance != "", sends: !s.SendsNothing,
	}
	if !run.named {
		run.Instance = onlyInstance
	}
	if !instancePattern.MatchString(run.Instance) {
		return nil, fmt.Errorf("WEIGHBRIDGE_INSTANCE: expected letters, digits, _ and -, found %q", run.Instance)
	}
	switch s.Durability {
	case "", "os":
	case "fsync":
		run.syncIntents = true
	default:
		return nil, fmt.Errorf("WEIGHBRIDGE_DURABILITY: expected os or fsync, found %q", s.Durability)
	}
	if s.PlanPath == "" {
		run.Cap = spend.New(spend.Caps{}, nil)
		return run, nil
	}
	p, err := plan.Read(s.PlanPath)
	if err != nil {
		return nil, err
	}
	run.Plan = p
	if s.SendsNothing {
		secret.DropHeaders(p.Headers)
	} else if run.Headers, run.Keys, err = secret.Headers(p.Headers, s.Keys); err != nil {
		return nil, err
	}
	run.Key = run.Keys.First()
	run.InFlight = NewInFlight(p.Limits)
	run.Cap = spend.New(p.Caps, p.Bounds)
	run.stopRules = newStopRules(p.Limits.Stop)
	return run, nil
}

// MayCall reports whether calls can be made: with a key, with a header that stands for it, or where the target needs none.
// Where the command sends nothing, whether they could is not asked.
func (r *Run) MayCall() bool {
	return !r.sends || r.Key.Present() || r.Headers.Get("Authorization") != "" || r.Plan != nil && r.Plan.NoBill
}

// RunID is the plan's, or "adhoc" where a script runs without a plan.
func (r *Run) RunID() string {
	if r.Plan == nil {
		return "adhoc"
	}
	return r.Plan.RunID
}

// UserAgent names the tool and the run to the target.
func (r *Run) UserAgent() string {
	return "weighbridge/" + version.Weighbridge + " run/" + r.RunID()
}

// LedgerDir is where the ledger goes when the output names no folder.
func (r *Run) LedgerDir() string {
	if dir := os.Getenv("WEIGHBRIDGE_LEDGER"); dir != "" {
		return dir
	}
	return filepath.Join("reports", r.RunID(), "calls")
}

// OpenLedger creates the ledger file and starts its state lines.
func (r *Run) OpenLedger(dir string, segment *string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.openLedger(dir, segment)
}

// OpenLedgerLater opens it with the first call that it has to hold: a script that makes none leaves no file.
func (r *Run) OpenLedgerLater(dir string, segment *string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.later = func() error { return r.openLedger(dir, segment) }
}

func (r *Run) openLedger(dir string, segment *string) error {
	if r.ledger != nil {
		return fmt.Errorf("the ledger is already open: %s", r.ledger.Path())
	}
	writer, err := ledger.Open(dir, r.Instance, func(file int) ledger.Header { return r.header(file, segment) },
		ledger.Options{
			SyncIntents: r.syncIntents, KeepTexts: r.Plan != nil && r.Plan.KeepText, Once: r.Plan != nil,
			Failed: func(error) { r.Halt.Set(halt.LedgerFailed) },
		})
	if err != nil {
		return err
	}
	r.ledger, r.later = writer, nil
	r.stop = r.reportState(writer)
	go func() { // a halted run may be stopped at any moment
		<-r.Halt.Done()
		_ = writer.Hurry()
	}()
	return nil
}

// CloseLedger writes the final state line and closes the file.
func (r *Run) CloseLedger() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.later = nil
	if r.ledger == nil {
		return nil
	}
	err := errors.Join(r.stop(), r.ledger.Close())
	r.ledger = nil
	return err
}

// Ledger is the open ledger, or ErrNoLedger.
func (r *Run) Ledger() (*ledger.Writer, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ledger == nil && r.later != nil {
		if err := r.later(); err != nil {
			return nil, err
		}
	}
	if r.ledger == nil {
		return nil, ErrNoLedger
	}
	return r.ledger, nil
}

func (r *Run) header(file int, segment *string) ledger.Header {
	now := clock.Now()
	cores := runtime.GOMAXPROCS(0)
	header := ledger.Header{
		Schema: ledger.HeaderSchema, RunID: r.RunID(), Instance: r.Instance, File: file, Segment: segment,
		Clock:    ledger.Clock{Wall: now.Wall(), MonoMS: clock.Milliseconds(time.Duration(now))},
		KeyFP:    r.Keys.Fingerprint(),
		Cores:    &cores,
		Versions: ledger.Versions{Weighbridge: version.Weighbridge, K6: version.K6(), Go: runtime.Version()},
	}
	if r.Plan != nil {
		header.Seed, header.PlanHash = &r.Plan.Seed, &r.Plan.PlanHash
	}
	return header
}
