package clock

import (
	"testing"
	"time"
)

func TestAMomentIsWrittenAsRFC3339WithMilliseconds(t *testing.T) {
	for _, m := range []Moment{
		0, Moment(time.Millisecond), Moment(999_999), Moment(59 * time.Second), Moment(26*time.Hour + 7*time.Nanosecond),
		Moment(100 * 24 * time.Hour), Moment(4000 * 24 * time.Hour), Moment(-time.Hour),
	} {
		if text, want := m.Wall(), anchor.Add(time.Duration(m)).UTC().Format("2006-01-02T15:04:05.000Z"); text != want {
			t.Errorf("expected %s, found %s", want, text)
		}
	}
}
