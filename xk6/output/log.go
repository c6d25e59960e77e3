package output

import (
	"fmt"

	"github.com/sirupsen/logrus"

	"weighbridge.dev/xk6/secret"
)

// withoutKey is a hook that takes the key out of what k6 logs. A script may print an answer, and the HTTP client of Go
// prints what a target sends unasked.
type withoutKey struct{ key secret.Key }

// clean hooks into the logger of k6; another kind of logger is left as it is.
func clean(logger logrus.FieldLogger, key secret.Key) {
	switch known := logger.(type) {
	case *logrus.Logger:
		known.AddHook(withoutKey{key})
	case *logrus.Entry:
		known.Logger.AddHook(withoutKey{key})
	}
}

func (withoutKey) Levels() []logrus.Level { return logrus.AllLevels }

// Fire changes the entry, which is a copy of its own for each line.
func (h withoutKey) Fire(entry *logrus.Entry) error {
	entry.Message = h.key.Name(entry.Message)
	for field, value := range entry.Data {
		switch value.(type) {
		case string, error, fmt.Stringer:
			entry.Data[field] = h.key.Name(fmt.Sprint(value))
		}
	}
	return nil
}
