// Package output opens and closes the process-wide ledger as a k6 output. The rows themselves are written by the
// calls: a k6 output would lose those of interrupted iterations.
package output

import (
	"os"

	"github.com/sirupsen/logrus"
	"go.k6.io/k6/v2/metrics"
	"go.k6.io/k6/v2/output"

	"weighbridge.dev/xk6/flat"
	"weighbridge.dev/xk6/load"
)

// Name of the output: --out weighbridge=DIR.
const Name = "weighbridge"

func init() { output.RegisterExtension(Name, open) }

type ledgerOutput struct {
	run     *load.Run
	dir     string
	later   bool // opens it with the first call that it has to hold
	segment *string
	logger  logrus.FieldLogger
}

func open(params output.Params) (output.Output, error) {
	run, err := load.Current()
	if err != nil {
		return nil, err
	}
	o := &ledgerOutput{run: run, dir: params.ConfigArgument, logger: params.Logger}
	clean(params.Logger, run.Key)
	if o.dir == "" {
		o.dir = run.LedgerDir()
		o.later = run.Plan == nil && os.Getenv("WEIGHBRIDGE_LEDGER") == ""
	}
	segments := 1
	if segment := params.ScriptOptions.ExecutionSegment; segment != nil {
		text := segment.String()
		o.segment, segments = &text, 2 // at least, where nobody says how many
	}
	if sequence := params.ScriptOptions.ExecutionSegmentSequence; sequence != nil {
		segments = len(*sequence)
	}
	return o, run.TakeSegment(o.segment, segments)
}

// Description is what k6 prints about the output.
func (o *ledgerOutput) Description() string { return Name + " (" + o.dir + ")" }

// Start opens the ledger.
func (o *ledgerOutput) Start() error {
	flat.Apply()
	if o.later {
		o.run.OpenLedgerLater(o.dir, o.segment)
		return nil
	}
	return o.run.OpenLedger(o.dir, o.segment)
}

// AddMetricSamples ignores samples: rows do not travel as metrics.
func (o *ledgerOutput) AddMetricSamples([]metrics.SampleContainer) {}

// Stop writes the final state line and closes the ledger.
func (o *ledgerOutput) Stop() error {
	err := o.run.CloseLedger()
	if reason, halted := o.run.Halt.Reason(); halted {
		o.logger.Warnf("weighbridge: no further calls were started: %s", reason)
	}
	return err
}
