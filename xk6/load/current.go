package load

import "sync"

var current struct {
	once sync.Once
	run  *Run
	err  error
}

// Current is the run of this process, made from the environment on first use.
func Current() (*Run, error) { return CurrentOf(true) }

// CurrentOf is Current for a command that sends calls, or none. The first use decides.
func CurrentOf(sends bool) (*Run, error) {
	current.once.Do(func() {
		settings, err := SettingsFromEnvironment(sends)
		if err != nil {
			current.err = err
			return
		}
		current.run, current.err = New(settings)
	})
	return current.run, current.err
}
