// Package module is the JavaScript module k6/x/weighbridge; its API is scenarios/lib/k6-x-weighbridge.d.ts.
package module

import (
	"time"

	"github.com/grafana/sobek"
	"go.k6.io/k6/v2/js/common"
	"go.k6.io/k6/v2/js/modules"

	"weighbridge.dev/xk6/clock"
	"weighbridge.dev/xk6/load"
	"weighbridge.dev/xk6/version"
)

func init() { modules.Register("k6/x/weighbridge", rootModule{}) }

type rootModule struct{}

// NewModuleInstance makes the module of one virtual user.
func (rootModule) NewModuleInstance(vu modules.VU) modules.Instance {
	run, err := load.Current()
	if err != nil {
		common.Throw(vu.Runtime(), err)
	}
	registered, err := register(vu.InitEnv().Registry)
	if err != nil {
		common.Throw(vu.Runtime(), err)
	}
	return &instance{vu: vu, run: run, metrics: registered}
}

type instance struct {
	vu      modules.VU
	run     *load.Run
	metrics *loadMetrics
}

// Exports are the names of the d.ts file.
func (i *instance) Exports() modules.Exports {
	return modules.Exports{Named: map[string]any{
		"Client":  i.newClient,
		"version": func() string { return version.Weighbridge },
		"now":     func() float64 { return clock.Milliseconds(time.Duration(clock.Now())) },
	}}
}

// newClient is the constructor of Client.
func (i *instance) newClient(call sobek.ConstructorCall) *sobek.Object {
	rt := i.vu.Runtime()
	c, err := clientOf(i, call.Argument(0))
	if err != nil {
		common.Throw(rt, err)
	}
	object := call.This
	for name, method := range map[string]func(sobek.Value) *sobek.Promise{
		"stream": c.stream, "call": c.call, "poll": c.poll, "download": c.download,
	} {
		if err := object.Set(name, method); err != nil {
			common.Throw(rt, err)
		}
	}
	return nil
}
