package load

// DrainOnSignal does nothing: Windows has no signal to drain with.
func (r *Run) DrainOnSignal() {}
