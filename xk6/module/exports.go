package module

import (
	"slices"
	"time"

	"github.com/grafana/sobek"

	"weighbridge.dev/xk6/clock"
	"weighbridge.dev/xk6/version"
)

// exports is what a script imports: the names of the d.ts file. A member is made when it is first read, because every
// virtual user has all of this anew and reads one or two.
type exports struct {
	instance *instance
	made     map[string]sobek.Value
}

var exportedNames = []string{
	"Client", "version", "now", "plannedCall", "byteLength", "makeStart", "makeStarts", "needsScript", "nextStart", "doneStart",
	"hasArrivals", "chat", "responses", "messages",
}

// Get is a member; nil where there is none of that name.
func (e *exports) Get(name string) sobek.Value {
	if value, known := e.made[name]; known {
		return value
	}
	member := e.instance.member(name)
	if member == nil {
		return nil
	}
	value := e.instance.vu.Runtime().ToValue(member)
	e.made[name] = value
	return value
}

func (i *instance) member(name string) any {
	switch name {
	case "Client":
		return i.newClient
	case "version":
		return func() string { return version.Weighbridge }
	case "now":
		return func() float64 { return clock.Milliseconds(time.Duration(clock.Now())) }
	case "plannedCall":
		return i.plannedCall
	case "byteLength":
		return func(text string) int { return len(text) }
	case "makeStart":
		return i.makeStart
	case "makeStarts":
		return i.makeStarts
	case "needsScript":
		return i.needsScript()
	case "nextStart":
		return i.nextStart
	case "doneStart":
		return i.doneStart
	case "hasArrivals":
		return hasArrivals
	case "chat", "responses", "messages":
		return i.alone(name)
	}
	return nil
}

// Set refuses.
func (e *exports) Set(string, sobek.Value) bool { return false }

// Has tells whether there is a member of a name.
func (e *exports) Has(name string) bool { return slices.Contains(exportedNames, name) }

// Delete refuses.
func (e *exports) Delete(string) bool { return false }

// Keys are the names of all members.
func (e *exports) Keys() []string { return exportedNames }
