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

func init() {
	lib.RegisterExecutorConfigType(Type, func(name string, rawJSON []byte) (lib.ExecutorConfig, error) {
		config := Config{BaseConfig: executor.NewBaseConfig(name, Type)}
		err := lib.StrictJSONUnmarshal(rawJSON, &config)
		return config, err
	})
}

// Config of a scenario under this executor.
type Config struct {
	executor.BaseConfig
	Stages []Stage `json:"stages"`
	// MaxCalls ends the starts early; null for as many as the stages give.
	MaxCalls *int64 `json:"maxCalls"`
	// MaxInFlight virtual users are made before the start; a start beyond them is dropped.
	MaxInFlight int64 `json:"maxInFlight"`
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
		problems = append(problems, errors.New("maxInFlight: expected 1 or more"))
	}
	return problems
}

// GetDescription is what k6 prints about the scenario.
func (c Config) GetDescription(et *lib.ExecutionTuple) string {
	schedule, err := c.schedule()
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%d planned starts in %s (maxInFlight: %d, gracefulStop: %s)",
		schedule.Count(), schedule.Duration(), et.ScaleInt64(c.MaxInFlight), c.GetGracefulStop())
}

// GetExecutionRequirements asks for all virtual users at the beginning.
func (c Config) GetExecutionRequirements(et *lib.ExecutionTuple) []lib.ExecutionStep {
	schedule, err := c.schedule()
	if err != nil {
		return nil
	}
	return []lib.ExecutionStep{
		{TimeOffset: 0, PlannedVUs: uint64(et.ScaleInt64(c.MaxInFlight))},
		{TimeOffset: schedule.Duration() + c.GetGracefulStop(), PlannedVUs: 0},
	}
}

// HasWork reports whether this execution segment has any virtual user.
func (c Config) HasWork(et *lib.ExecutionTuple) bool { return et.ScaleInt64(c.MaxInFlight) > 0 }

// NewExecutor makes the executor.
func (c Config) NewExecutor(es *lib.ExecutionState, logger *logrus.Entry) (lib.Executor, error) {
	schedule, err := c.schedule()
	if err != nil {
		return nil, err
	}
	return &Executor{BaseExecutor: executor.NewBaseExecutor(c, es, logger), config: c, state: es, schedule: schedule}, nil
}
