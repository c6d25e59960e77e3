package arrivals

import (
	"fmt"
	"reflect"
	"time"
)

// progressOf tells how far a scenario is, of 1, and what it has started of what was due.
func (e *Executor) progressOf(began time.Time) func() (float64, []string) {
	whole := e.schedule.Duration()
	return func() (float64, []string) {
		spent := min(time.Since(began), whole)
		counts := []string{fmt.Sprintf("%d started of %d due", e.counts.Started.Load(), e.counts.Planned.Load())}
		if whole == 0 {
			return 1, counts
		}
		times := spent.Truncate(time.Second).String() + "/" + whole.String()
		return float64(spent) / float64(whole), append([]string{times}, counts...)
	}
}

// show lets k6's progress bar of the executor ask for its progress, until the returned function leaves it at what it
// was. k6 keeps the options of its bars to itself, so one is made by reflection; the bar applies it under its own lock.
// Where another k6 has other bars, nothing is shown.
func show(bar any, progress func() (float64, []string)) (freeze func()) {
	modify := reflect.ValueOf(bar).MethodByName("Modify")
	set := func(progress func() (float64, []string)) {
		if !modify.IsValid() || !modify.Type().IsVariadic() || modify.Type().In(0).Elem().Kind() != reflect.Func {
			return
		}
		option := reflect.MakeFunc(modify.Type().In(0).Elem(), func(args []reflect.Value) []reflect.Value {
			field := args[0].Elem().FieldByName("progress")
			if field.IsValid() && field.Type() == reflect.TypeOf(progress) {
				*(*func() (float64, []string))(field.Addr().UnsafePointer()) = progress
			}
			return nil
		})
		modify.Call([]reflect.Value{option})
	}
	set(progress)
	return func() {
		share, right := progress()
		set(func() (float64, []string) { return share, right })
	}
}
