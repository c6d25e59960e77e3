package arrivals

import (
	"context"
	"errors"
	"io"
	"math/big"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/sirupsen/logrus"
	"go.k6.io/k6/v2/errext"
	"go.k6.io/k6/v2/lib"
	"go.k6.io/k6/v2/lib/executor"
	"go.k6.io/k6/v2/lib/types"
	"go.k6.io/k6/v2/metrics"

	"weighbridge.dev/xk6/clock"
	"weighbridge.dev/xk6/halt"
	"weighbridge.dev/xk6/load"
	"weighbridge.dev/xk6/plan"
	"weighbridge.dev/xk6/secret"
	"weighbridge.dev/xk6/spend"
)

// fakeUser runs a function in place of a script.
type fakeUser struct {
	id     uint64
	params *lib.VUActivationParams
	script func(ctx context.Context, u *fakeUser) error
}

func (u *fakeUser) GetID() uint64 { return u.id }

func (u *fakeUser) Activate(params *lib.VUActivationParams) lib.ActiveVU {
	u.params = params
	context.AfterFunc(params.RunContext, func() { params.DeactivateCallback(u) })
	return u
}

// RunOnce ends the iteration's context with the iteration, as k6 does.
func (u *fakeUser) RunOnce() error {
	ctx, cancel := context.WithCancel(u.params.RunContext)
	defer cancel()
	return u.script(ctx, u)
}

func (u *fakeUser) start() int64 {
	_, n := u.params.GetNextIterationCounters()
	return int64(n)
}

// stand is an executor over fake users.
type stand struct {
	*Executor
	samples chan metrics.SampleContainer
}

func newStand(t *testing.T, config Config, limits plan.Limits, script func(context.Context, *stand, *fakeUser) error) *stand {
	t.Helper()
	run, err := load.New(load.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	run.InFlight = load.NewInFlight(limits)
	tuple, err := lib.NewExecutionTuple(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return newStandIn(t, tuple, run, config, script)
}

// newStandIn is the stand of one execution segment.
func newStandIn(
	t *testing.T, tuple *lib.ExecutionTuple, run *load.Run, config Config, script func(context.Context, *stand, *fakeUser) error,
) *stand {
	t.Helper()
	made, state := newExecutorIn(t, tuple, config)
	s := &stand{Executor: made, samples: make(chan metrics.SampleContainer, 1000)}
	if err := s.join(run); err != nil {
		t.Fatal(err)
	}
	for id := range s.config.virtualUsers(s.config.slots()) {
		state.AddInitializedVU(&fakeUser{id: uint64(id) + 1, script: func(ctx context.Context, u *fakeUser) error {
			return script(ctx, s, u)
		}})
	}
	return s
}

// newExecutorIn has no part in a run yet.
func newExecutorIn(t *testing.T, tuple *lib.ExecutionTuple, config Config) (*Executor, *lib.ExecutionState) {
	t.Helper()
	config.BaseConfig = executor.NewBaseConfig("chat", Type)
	config.GracefulStop = types.NullDurationFrom(10 * time.Second)
	if config.Process == "" {
		config.Process = Even
	}
	config.CallsPerVU = max(1, config.CallsPerVU)
	if problems := config.Validate(); len(problems) > 0 {
		t.Fatal(problems)
	}
	logger := logrus.New()
	logger.SetOutput(io.Discard)
	registry := metrics.NewRegistry()
	state := lib.NewExecutionState(&lib.TestRunState{
		TestPreInitState: &lib.TestPreInitState{
			Registry: registry, BuiltinMetrics: metrics.RegisterBuiltinMetrics(registry), Logger: logger,
		},
		Options: lib.Options{SystemTags: &metrics.DefaultSystemTagSet}, RunTags: registry.RootTagSet(),
	}, tuple, 100, 100)
	made, err := config.NewExecutor(state, logrus.NewEntry(logger))
	if err != nil {
		t.Fatal(err)
	}
	return made.(*Executor), state
}

// seen collects numbers from any goroutine.
type seen struct {
	mu      sync.Mutex
	numbers []int64
}

func (s *seen) add(n int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.numbers = append(s.numbers, n)
}

func (s *seen) sorted() []int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	slices.Sort(s.numbers)
	return s.numbers
}

func upTo(count int64) []int64 {
	numbers := make([]int64, count)
	for n := range numbers {
		numbers[n] = int64(n)
	}
	return numbers
}

func (s *stand) want(t *testing.T, planned, started, dropped, held int64) {
	t.Helper()
	c := s.counts
	if c.Planned.Load() != planned || c.Started.Load() != started || c.Dropped.Load() != dropped || c.Held.Load() != held {
		t.Errorf("want %d planned, %d started, %d dropped, %d held; found %d, %d, %d, %d", planned, started, dropped, held,
			c.Planned.Load(), c.Started.Load(), c.Dropped.Load(), c.Held.Load())
	}
}

// takeAll is a pool script: each start is made beside the others.
func takeAll(ctx context.Context, s *stand, u *fakeUser, make func(n int64)) {
	queue, _ := s.run.Starts.Of(u.id)
	var under sync.WaitGroup
	defer under.Wait()
	for {
		next := nextOf(ctx, queue)
		if next < 0 {
			return
		}
		under.Go(func() {
			make(next)
			queue.Done(next)
		})
	}
}

func nextOf(ctx context.Context, queue *load.StartQueue) int64 {
	got := make(chan int64, 1)
	queue.Next(ctx, func(start load.Start, more bool) {
		if !more {
			start.N = -1
		}
		got <- start.N
	})
	return <-got
}

func TestEachStartIsMadeOnce(t *testing.T) {
	stages := []Stage{{DurationMS: 50, FromMillirate: 2_000_000, ToMillirate: 2_000_000}}
	for _, perVU := range []int64{1, 4, 100} {
		for _, process := range []string{Even, Poisson} {
			var made seen
			s := newStand(t, Config{Stages: stages, MaxInFlight: 100, CallsPerVU: perVU, Process: process}, plan.Limits{},
				func(ctx context.Context, s *stand, u *fakeUser) error {
					if perVU == 1 {
						at, timed := s.run.Planned.Take(u.id, u.start())
						if !timed || clock.Now() < at {
							t.Errorf("start %d is made before its time", u.start())
						}
						made.add(u.start())
						return nil
					}
					takeAll(ctx, s, u, func(n int64) {
						if _, timed := s.run.Planned.Take(u.id, n); !timed {
							t.Errorf("start %d has no planned time", n)
						}
						made.add(n)
					})
					return nil
				})
			if err := s.Run(t.Context(), s.samples); err != nil {
				t.Fatal(err)
			}
			s.want(t, 100, 100, 0, 0)
			if !slices.Equal(made.sorted(), upTo(100)) {
				t.Errorf("%s, %d a VU: made %v", process, perVU, made.numbers)
			}
		}
	}
}

// twoOfTwenty makes 20 starts in 20 ms, of which a cap in flight lets two through: neither ends before all were due.
func twoOfTwenty(t *testing.T, workload plan.Workload) *stand {
	t.Helper()
	two := int64(2)
	release := make(chan struct{})
	s := newStand(t, Config{Stages: []Stage{{DurationMS: 20, FromMillirate: 1_000_000, ToMillirate: 1_000_000}}, MaxInFlight: 10},
		plan.Limits{MaxInFlight: &two}, func(context.Context, *stand, *fakeUser) error {
			<-release
			return nil
		})
	s.workload = workload
	go func() {
		for s.counts.Planned.Load() < 20 {
			time.Sleep(time.Millisecond)
		}
		close(release)
	}()
	if err := s.Run(t.Context(), s.samples); err != nil {
		t.Fatal(err)
	}
	s.want(t, 20, 2, 18, 0)
	return s
}

func TestStartsBeyondACapInFlightAreDropped(t *testing.T) {
	twoOfTwenty(t, plan.Workload{}).wantSamples(t, 2, 18, 18)
}

func TestTheRateOfDroppedStartsIsOfTheMeasuredPhase(t *testing.T) {
	twoOfTwenty(t, plan.Workload{DurationMS: 20, WarmUpMS: 5, CoolDownMS: 5}).wantSamples(t, 0, 10, 18)
}

// wantSamples reads the samples of a stand that has run: starts and drops of the rate, and k6's own dropped iterations.
func (s *stand) wantSamples(t *testing.T, started, dropped, iterations int) {
	t.Helper()
	var rate [2]int
	var lost int
	for close(s.samples); len(s.samples) > 0; {
		for _, sample := range (<-s.samples).GetSamples() {
			switch sample.Metric {
			case s.tally.rate:
				rate[int(sample.Value)]++
			case s.tally.iterations:
				lost += int(sample.Value)
			}
		}
	}
	if rate != [2]int{started, dropped} || lost != iterations {
		t.Errorf("the metrics say %d started, %d dropped, %d iterations dropped", rate[0], rate[1], lost)
	}
}

func TestAHaltHoldsTheRestWithItsPhases(t *testing.T) {
	s := newStand(t, Config{Stages: []Stage{{DurationMS: 3_600_000, FromMillirate: 1000, ToMillirate: 1000}}, MaxInFlight: 10},
		plan.Limits{}, func(_ context.Context, s *stand, _ *fakeUser) error {
			s.run.Halt.Set(halt.SpendCap)
			return nil
		})
	s.workload = plan.Workload{DurationMS: 3_600_000, WarmUpMS: 600_000, CoolDownMS: 1_000_000}
	if err := s.Run(t.Context(), s.samples); err != nil {
		t.Fatal(err)
	}
	s.want(t, 3600, 1, 0, 3599)
	if m := &s.counts.Measured; m.Planned.Load() != 2000 || m.Held.Load() != 2000 || m.Started.Load() != 0 {
		t.Errorf("measured: %d planned, %d held", m.Planned.Load(), m.Held.Load())
	}
}

func TestStartsOfAPausedModelAreHeld(t *testing.T) {
	s := newStand(t, Config{Stages: []Stage{{DurationMS: 20, FromMillirate: 1_000_000, ToMillirate: 1_000_000}}, MaxInFlight: 30},
		plan.Limits{}, func(context.Context, *stand, *fakeUser) error { return nil })
	s.model = "m"
	s.run.Pauses.Pause(load.Limited{Model: "m"}, clock.Now().Add(time.Hour))
	if err := s.Run(t.Context(), s.samples); err != nil {
		t.Fatal(err)
	}
	s.want(t, 20, 0, 0, 20)
}

func TestStartsOfTheOtherKeysOfAPausedModelAreMade(t *testing.T) {
	s := newStand(t, Config{Stages: []Stage{{DurationMS: 20, FromMillirate: 1_000_000, ToMillirate: 1_000_000}}, MaxInFlight: 30},
		plan.Limits{}, func(context.Context, *stand, *fakeUser) error { return nil })
	s.model = "m"
	s.run.Keys = secret.NewKeys([]string{"sk-one", "sk-two"})
	s.run.Pauses.Pause(load.Limited{Model: "m", KeyFP: s.run.Keys[1].Fingerprint()}, clock.Now().Add(time.Hour))
	if err := s.Run(t.Context(), s.samples); err != nil {
		t.Fatal(err)
	}
	s.want(t, 20, 10, 0, 10)
}

func TestAnIterationThatBreaksLosesNoStartOfAPool(t *testing.T) {
	var made seen
	broken := sync.Once{}
	s := newStand(t, Config{Stages: []Stage{{DurationMS: 60, FromMillirate: 1_000_000, ToMillirate: 1_000_000}}, MaxInFlight: 60, CallsPerVU: 60},
		plan.Limits{}, func(ctx context.Context, s *stand, u *fakeUser) (err error) {
			broken.Do(func() {
				queue, _ := s.run.Starts.Of(u.id)
				for range 5 {
					made.add(nextOf(ctx, queue)) // taken, and never done
				}
				for s.counts.Started.Load() < 20 { // some are handed over and not taken
					runtime.Gosched()
				}
				err = errors.New("thrown")
			})
			if err != nil {
				return err
			}
			takeAll(ctx, s, u, made.add)
			return nil
		})
	if err := s.Run(t.Context(), s.samples); err != nil {
		t.Fatal(err)
	}
	s.want(t, 60, 60, 0, 0)
	if !slices.Equal(made.sorted(), upTo(60)) {
		t.Errorf("made %v", made.numbers)
	}
}

func TestAnAbortOfAScriptIsTheEndOfTheExecutor(t *testing.T) {
	for _, perVU := range []int64{1, 5} {
		s := newStand(t, Config{Stages: []Stage{{DurationMS: 3_600_000, FromMillirate: 10_000, ToMillirate: 10_000}}, MaxInFlight: 10, CallsPerVU: perVU},
			plan.Limits{}, func(context.Context, *stand, *fakeUser) error { return &errext.InterruptError{Reason: "enough"} })
		if err := s.Run(t.Context(), s.samples); !errext.IsInterruptError(err) {
			t.Errorf("want the script's reason, found %v", err)
		}
		if reason, _ := s.run.Halt.Reason(); reason != halt.ScriptAborted {
			t.Errorf("halted: %q", reason)
		}
		if c := s.counts; c.Planned.Load() != 36_000 || c.Started.Load()+c.Held.Load() != 36_000 {
			t.Errorf("%d started, %d held", c.Started.Load(), c.Held.Load())
		}
	}
}

func TestAClosedLoopStartsTheNextWhenOneEnds(t *testing.T) {
	limit := int64(500)
	for _, perVU := range []int64{1, 2, 7} {
		var made seen
		var mu sync.Mutex
		under, most := 0, 0
		call := func(n int64) {
			mu.Lock()
			under++
			most = max(most, under)
			mu.Unlock()
			made.add(n)
			mu.Lock()
			under--
			mu.Unlock()
		}
		concurrency := int64(7)
		s := newStand(t, Config{
			Stages: []Stage{{DurationMS: 3_600_000}}, MaxInFlight: 10, Concurrency: &concurrency, MaxCalls: &limit, CallsPerVU: perVU,
		}, plan.Limits{MaxInFlight: &concurrency}, func(ctx context.Context, s *stand, u *fakeUser) error {
			if perVU == 1 {
				call(u.start())
			} else {
				takeAll(ctx, s, u, call)
			}
			return nil
		})
		if err := s.Run(t.Context(), s.samples); err != nil {
			t.Fatal(err)
		}
		s.want(t, 500, 500, 0, 0)
		if !slices.Equal(made.sorted(), upTo(500)) || most > 7 {
			t.Errorf("%d a VU: %d made, %d at once", perVU, len(made.numbers), most)
		}
	}
}

func TestASegmentHasItsPartOfSlotsAndCaps(t *testing.T) {
	run, err := load.New(load.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	all := int64(9)
	run.InFlight = load.NewInFlight(plan.Limits{MaxInFlight: &all})
	key := spend.Key{Model: "m", Kind: "chat"}
	run.Cap = spend.New(spend.Caps{Run: big.NewInt(1000)}, map[spend.Key]spend.Bound{
		key: {PerInputToken: new(big.Int), PerOutputToken: new(big.Int), Fixed: big.NewInt(100)},
	})
	config := Config{Stages: []Stage{{DurationMS: 10, FromMillirate: 1000, ToMillirate: 1000}}, MaxInFlight: 6}
	none := func(context.Context, *stand, *fakeUser) error { return nil }
	segment := segmentsOf(t, 3)[1]
	first := newStandIn(t, segment, run, config, none)
	newStandIn(t, segment, run, config, none) // of another scenario of the same process
	for n := range 4 {
		if _, err := run.Cap.Reserve(spend.Call{Key: key, Scenario: "chat"}); (err == nil) != (n < 3) {
			t.Errorf("call %d of a third of ten: %v", n, err)
		}
		if room := run.InFlight.Take("m"); room != (n < 3) {
			t.Errorf("start %d of a third of nine: %v", n, room)
		}
	}
	if first.slots != 2 {
		t.Errorf("%d slots, want a third of 6", first.slots)
	}
}
