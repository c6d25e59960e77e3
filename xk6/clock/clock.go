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
	at := anchor.Add(time.Duration(m)).UTC()
	year, month, day := at.Date()
	hour, minute, second := at.Clock()
	text := [...]byte{
		digit(year, 1000), digit(year, 100), digit(year, 10), digit(year, 1), '-',
		digit(int(month), 10), digit(int(month), 1), '-', digit(day, 10), digit(day, 1), 'T',
		digit(hour, 10), digit(hour, 1), ':', digit(minute, 10), digit(minute, 1), ':',
		digit(second, 10), digit(second, 1), '.',
		digit(at.Nanosecond(), 100e6), digit(at.Nanosecond(), 10e6), digit(at.Nanosecond(), 1e6), 'Z',
	}
	return string(text[:])
}

// Milliseconds gives a duration in ms, rounded to the microsecond.
func Milliseconds(d time.Duration) float64 {
	return math.Round(float64(d)/float64(time.Microsecond)) / 1000
}

// digit is the one of a number that stands for so many.
func digit(number, worth int) byte { return '0' + byte(number/worth%10) }
