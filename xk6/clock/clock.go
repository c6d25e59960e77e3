// Package clock takes the wall clock once per process as an anchor; every later moment is the anchor plus
// a monotonic difference, so that a step of the wall clock never moves a measurement.
package clock

import (
	"math"
	"time"
)

var anchor = time.Now()

// Moment is time since the anchor on the monotonic clock.
type Moment time.Duration

// Now reads the monotonic clock.
func Now() Moment { return Moment(time.Since(anchor)) }

// Of is the moment of a time taken with time.Now in this process.
func Of(t time.Time) Moment { return Moment(t.Sub(anchor)) }

// Anchor is the wall clock at moment 0.
func Anchor() time.Time { return anchor }

// Add moves a moment.
func (m Moment) Add(d time.Duration) Moment { return m + Moment(d) }

// Since is the time from an earlier moment to m.
func (m Moment) Since(earlier Moment) time.Duration { return time.Duration(m - earlier) }

// Wall is the moment as RFC 3339 UTC with milliseconds.
func (m Moment) Wall() string {
	return anchor.Add(time.Duration(m)).UTC().Format("2006-01-02T15:04:05.000Z")
}

// Milliseconds gives a duration in ms, rounded to the microsecond.
func Milliseconds(d time.Duration) float64 {
	return math.Round(float64(d)/float64(time.Microsecond)) / 1000
}
