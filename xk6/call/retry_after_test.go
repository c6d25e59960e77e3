package call

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"weighbridge.dev/xk6/clock"
)

func TestRetryAfterIsReadAsSecondsOrADate(t *testing.T) {
	in := func(d time.Duration) string {
		return clock.Anchor().Add(time.Duration(clock.Now())).Add(d).UTC().Format(http.TimeFormat)
	}
	const none = -1
	for _, c := range []struct {
		values      string // headers, with bars between
		least, most float64
	}{
		{"3600", 3600, 3600},
		{" 3600 ", 3600, 3600},
		{"0", 0, 0},
		{"0.25", 0.25, 0.25},
		{"1|3600", 3600, 3600},
		{"3600|1", 3600, 3600},
		{"3600, 3600", 3600, 3600},
		{"5,70 , 6", 70, 70},
		{strings.Repeat("9", 400), mostSeconds, mostSeconds},
		{in(time.Hour), 3500, 3600},
		{in(-time.Hour), 0, 0},
		{"7|" + in(time.Hour), 3500, 3600},
		{"", none, none},
		{"3600s", none, none},
		{"0x1p3", none, none},
		{"1e3", none, none},
		{"-5", none, none},
		{"+5", none, none},
		{"1_000", none, none},
		{".5", none, none},
		{"5.", none, none},
		{"Inf", none, none},
		{"NaN", none, none},
		{"2026-11-21T10:00:00Z", none, none},
		{"soon|12", 12, 12},
	} {
		header := http.Header{}
		for value := range strings.SplitSeq(c.values, "|") {
			header.Add("Retry-After", value)
		}
		found := float64(none)
		if asked := retryAfter(header); asked != nil {
			found = *asked
		}
		if found < c.least || found > c.most {
			t.Errorf("%.40q: %g", c.values, found)
		}
	}
	if retryAfter(http.Header{}) != nil {
		t.Error("no header asks for a wait")
	}
}

func TestNoPauseIsLongerThanADay(t *testing.T) {
	for asked, want := range map[float64]time.Duration{
		0.5: 500 * time.Millisecond, 3600: time.Hour, 86_400: longestPause, 86_401: longestPause, mostSeconds: longestPause,
	} {
		if found := pauseOf(asked); found != want {
			t.Errorf("%g: %s", asked, found)
		}
	}
}
