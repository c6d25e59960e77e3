package arrivals

import (
	"errors"
	"fmt"

	"github.com/sirupsen/logrus"
	"go.k6.io/k6/v2/lib"
	"go.k6.io/k6/v2/lib/executor"
)

// Type is the executor's name in a scenario's options.
const Type = "weighbridge-arrivals"

// maxCallsPerVU is the most calls that one virtual user may hold: beyond it one event loop is the bottleneck.
const maxCallsPerVU = 1000

func init() {
	lib.RegisterExecutorConfigType(Type, func(name string, rawJSON []byte) (lib.ExecutorConfig, error) {
		config := Config{
			BaseConfig: executor.NewBaseConfig(name, Type), Process: Even, Burstiness: 1, CallsPerVU: 1,
		}
		err := lib.StrictJSONUnmarshal(rawJSON, &config)
		return config, err
	})
}

// Config of a scenario under this executor.
type Config struct {
	executor.BaseConfig
	// Stages give the rate; of a closed loop and of a trace only their duration.
	Stages []Stage `json:"stages"`
	// MaxCalls ends the starts early; null for as many as the stages give.
	MaxCalls *int64 `json:"maxCalls"`
	// MaxInFlight starts are under way at once; a start beyond them is dropped.
	MaxInFlight int64 `json:"maxInFlight"`
	// Process is even, poisson or gamma; even where it is not given.
	Process string `json:"process"`
	// Burstiness is the shape of the gamma process; 1 where it is not given.
	Burstiness float64 `json:"burstiness"`
	// Seed of the random processes: the same seed and scenario name give the same times.
	Seed int64 `json:"seed"`
	// Concurrency makes a closed loop of so many starts under way; null for none.
	Concurrency *int64 `json:"concurrency"`
	// Trace takes the starts from the trace file that the plan names for the scenario of this name.
	Trace bool `json:"trace"`
	// CallsPerVU above 1 makes each virtual user run one iteration that takes its starts with nextStart; 1 makes
	// each start an iteration.
	CallsPerVU int64 `json:"callsPerVU"`
}

var _ lib.ExecutorConfig = Config{}

func (c Config) schedule() (*Schedule, error) {
	limit := int64(-1)
	if c.MaxCalls != nil {
		if *c.MaxCalls < 0 {
			return nil, fmt.Errorf("maxCalls: expected 0 or more, found %d", *c.MaxCalls)
		}
		limit = *c.MaxCalls
	}
	return NewSchedule(c.Stages, limit)
}

// Validate reports what is wrong with the options.
func (c Config) Validate() []error {
	problems := c.BaseConfig.Validate()
	if _, err := c.schedule(); err != nil {
		problems = append(problems, err)
	}
	if c.MaxInFlight < 1 {
		problems = append(problems, fmt.Errorf("maxInFlight: expected 1 or more, found %d", c.MaxInFlight))
	}
	if c.CallsPerVU < 1 || c.CallsPerVU > maxCallsPerVU {
		problems = append(problems, fmt.Errorf("callsPerVU: expected 1 to %d, found %d", maxCallsPerVU, c.CallsPerVU))
	}
	if err := checkProcess(c.Process, c.Burstiness); err != nil {
		problems = append(problems, err)
	}
	if c.Concurrency != nil {
		if *c.Concurrency < 1 || *c.Concurrency > c.MaxInFlight {
			problems = append(problems, fmt.Errorf("concurrency: expected 1 to maxInFlight (%d), found %d",
				c.MaxInFlight, *c.Concurrency))
		}
		if c.Trace {
			problems = append(problems, errors.New("expected concurrency or trace, found both"))
		}
	}
	return problems
}

// slots are the starts that may be under way at once in all execution segments together.
func (c Config) slots() int64 {
	if c.Concurrency != nil {
		return *c.Concurrency
	}
	return c.MaxInFlight
}

// virtualUsers hold so many slots.
func (c Config) virtualUsers(slots int64) int64 { return (slots + c.CallsPerVU - 1) / c.CallsPerVU }

// GetDescription is what k6 prints about the scenario.
func (c Config) GetDescription(et *lib.ExecutionTuple) string {
	schedule, err := c.schedule()
	if err != nil {
		return err.Error()
	}
	slots := et.ScaleInt64(c.slots())
	return fmt.Sprintf("%s in %s (%d in flight at most, %d virtual users, gracefulStop: %s)",
		c.starts(schedule), schedule.Duration(), slots, c.virtualUsers(slots), c.GetGracefulStop())
}

func (c Config) starts(schedule *Schedule) string {
	switch {
	case c.Concurrency != nil:
		return "a start when one ends"
	case c.Trace:
		return "starts of a trace"
	case c.Process == Even:
		return fmt.Sprintf("%d planned starts", schedule.Count())
	default:
		return fmt.Sprintf("%d planned starts (%s)", schedule.Count(), c.Process)
	}
}

// GetExecutionRequirements asks for all virtual users at the beginning.
func (c Config) GetExecutionRequirements(et *lib.ExecutionTuple) []lib.ExecutionStep {
	schedule, err := c.schedule()
	if err != nil {
		return nil
	}
	return []lib.ExecutionStep{
		{TimeOffset: 0, PlannedVUs: uint64(c.virtualUsers(et.ScaleInt64(c.slots())))},
		{TimeOffset: schedule.Duration() + c.GetGracefulStop(), PlannedVUs: 0},
	}
}

// HasWork reports whether this execution segment has any slot.
func (c Config) HasWork(et *lib.ExecutionTuple) bool { return et.ScaleInt64(c.slots()) > 0 }

// NewExecutor makes the executor.
func (c Config) NewExecutor(es *lib.ExecutionState, logger *logrus.Entry) (lib.Executor, error) {
	schedule, err := c.schedule()
	if err != nil {
		return nil, err
	}
	return &Executor{BaseExecutor: executor.NewBaseExecutor(c, es, logger), config: c, state: es, schedule: schedule}, nil
}
