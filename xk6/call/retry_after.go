package call

import (
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"weighbridge.dev/xk6/clock"
)

const (
	// longestPause is as long as a Retry-After is obeyed.
	longestPause = 24 * time.Hour
	// mostSeconds stands for a number that is larger yet, beyond what a float can tell.
	mostSeconds = 1e15
)

// retryAfter reads Retry-After: seconds, a date, or several of them with commas between or under headers of their own,
// of which the longest holds. Nil where there is none; a text of another form says nothing.
func retryAfter(header http.Header) *float64 {
	var longest *float64
	see := func(text string) {
		if asked, ok := secondsOf(strings.TrimSpace(text)); ok && (longest == nil || asked > *longest) {
			longest = &asked
		}
	}
	for _, value := range header.Values("Retry-After") {
		see(value) // a date has a comma of its own
		for part := range strings.SplitSeq(value, ",") {
			see(part)
		}
	}
	return longest
}

// secondsOf reads digits, perhaps with a fraction, or an HTTP date.
func secondsOf(text string) (float64, bool) {
	whole, fraction, dotted := strings.Cut(text, ".")
	if areDigits(whole) && (!dotted || areDigits(fraction)) {
		asked, _ := strconv.ParseFloat(text, 64) // the only error left is one of range, which gives +Inf
		return min(asked, mostSeconds), true
	}
	at, err := http.ParseTime(text)
	if err != nil {
		return 0, false
	}
	now := clock.Anchor().Add(time.Duration(clock.Now()))
	return max(0, math.Ceil(at.Sub(now).Seconds())), true
}

func areDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// waitOf is how long a Retry-After asks to wait.
func waitOf(header http.Header) time.Duration {
	asked := retryAfter(header)
	if asked == nil {
		return 0
	}
	return pauseOf(*asked)
}

// pauseOf is how long a served number of seconds is obeyed.
func pauseOf(seconds float64) time.Duration {
	return time.Duration(min(seconds, longestPause.Seconds()) * float64(time.Second))
}
