// Package module is the JavaScript module k6/x/weighbridge; its API is xk6/index.d.ts.
package module

import (
	"github.com/grafana/sobek"
	"go.k6.io/k6/v2/js/common"
	"go.k6.io/k6/v2/js/modules"

	"weighbridge.dev/xk6/flat"
	"weighbridge.dev/xk6/load"
	"weighbridge.dev/xk6/pace"
)

func init() { modules.Register("k6/x/weighbridge", rootModule{}) }

type rootModule struct{}

// NewModuleInstance makes the module of one virtual user.
func (rootModule) NewModuleInstance(vu modules.VU) modules.Instance {
	run, err := load.Current()
	if err != nil {
		common.Throw(vu.Runtime(), err)
	}
	pace.AddUser()
	flat.Remember(vu.InitEnv().Registry)
	registered, err := metricsOf(vu.InitEnv().Registry, run)
	if err != nil {
		common.Throw(vu.Runtime(), err)
	}
	return &instance{vu: vu, run: run, metrics: registered}
}

type instance struct {
	vu      modules.VU
	run     *load.Run
	metrics *loadMetrics
	exports *sobek.Object // of Exports, once asked for
	client  *client       // of ofPlan, once asked for
	last    *client       // of the last call that was made alone
}

// Exports are the names of the d.ts file. They are one object, whose members are made when they are first read: each
// virtual user has an instance of its own and reads one or two of them.
func (i *instance) Exports() modules.Exports {
	if i.exports == nil {
		i.exports = i.vu.Runtime().NewDynamicObject(&exports{instance: i, made: map[string]sobek.Value{}})
	}
	return modules.Exports{Default: i.exports}
}

// newClient is the constructor of Client.
func (i *instance) newClient(call sobek.ConstructorCall) *sobek.Object {
	rt := i.vu.Runtime()
	c, err := clientOf(i, call.Argument(0))
	if err != nil {
		common.Throw(rt, err)
	}
	object := call.This
	for name, method := range map[string]operator{
		"stream":   promising(rt, c.stream),
		"call":     promising(rt, c.call),
		"poll":     promising(rt, c.poll),
		"download": promising(rt, c.download),
	} {
		if err := object.Set(name, method.native()); err != nil {
			common.Throw(rt, err)
		}
	}
	return nil
}

// operator is a method of Client.
type operator func(sobek.Value) sobek.Value

func promising(rt *sobek.Runtime, method func(sobek.Value) *sobek.Promise) operator {
	return func(argument sobek.Value) sobek.Value { return rt.ToValue(method(argument)) }
}

// native is called without reflection.
func (o operator) native() func(sobek.FunctionCall) sobek.Value {
	return func(arguments sobek.FunctionCall) sobek.Value { return o(arguments.Argument(0)) }
}
