package output

import (
	"bytes"
	"encoding/base64"
	"errors"
	"strings"
	"testing"

	"github.com/sirupsen/logrus"

	"weighbridge.dev/xk6/secret"
)

func TestTheLogOfK6HoldsNoKey(t *testing.T) {
	var out bytes.Buffer
	logger := logrus.New()
	logger.SetOutput(&out)
	clean(logger.WithField("source", "x"), secret.NewKey("sk-test-0123456789abcdef"))
	form := base64.StdEncoding.EncodeToString([]byte("Bearer sk-test-0123456789abcdef"))
	logger.WithField("answer", form).WithError(errors.New("malformed "+form)).WithField("count", 3).Error("unasked: " + form)
	if text := out.String(); strings.Count(text, "[key]") != 3 || strings.Contains(text, form[12:]) || !strings.Contains(text, "count=3") {
		t.Error(text)
	}
}
