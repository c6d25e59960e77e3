package module

import (
	"errors"

	"github.com/grafana/sobek"
	"go.k6.io/k6/v2/js/common"
	"go.k6.io/k6/v2/lib"

	"weighbridge.dev/xk6/load"
)

var errNoPool = errors.New("this virtual user is given no starts: only one of the executor weighbridge-arrivals " +
	"with callsPerVU above 1 is")

// nextStart resolves to the number of the next start of this virtual user, or to null after the last one.
func (i *instance) nextStart() *sobek.Promise {
	promise, resolve, reject := i.vu.Runtime().NewPromise()
	queue, known := i.queue()
	if !known {
		_ = reject(i.vu.Runtime().NewGoError(errNoPool))
		return promise
	}
	callback := i.vu.RegisterCallback()
	queue.Next(i.vu.Context(), func(start load.Start, more bool) {
		callback(func() error {
			if !more {
				return resolve(sobek.Null())
			}
			return resolve(start.N)
		})
	})
	return promise
}

// doneStart says that a start is over, so that its place is free.
func (i *instance) doneStart(n int64) {
	queue, known := i.queue()
	if !known {
		common.Throw(i.vu.Runtime(), errNoPool)
	}
	queue.Done(n)
}

func (i *instance) queue() (*load.StartQueue, bool) {
	state := i.vu.State()
	if state == nil {
		return nil, false
	}
	return i.run.Starts.Of(state.VUID)
}

// hasArrivals tells whether this k6 knows our executor.
func hasArrivals() bool {
	_, err := lib.GetParsedExecutorConfig("arrivals", "weighbridge-arrivals", []byte("{}"))
	return err == nil
}
