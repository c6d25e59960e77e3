package arrivals

import (
	"github.com/sirupsen/logrus"
	"go.k6.io/k6/v2/errext"
)

// logError prints a script's error with its stack, as k6's own executors do.
func logError(logger *logrus.Entry, err error) {
	text, fields := errext.Format(err)
	logger.WithFields(fields).Error(text)
}
