//go:build linux && (amd64 || arm64)

package stamp

import (
	"testing"
	"time"

	"weighbridge.dev/xk6/clock"
)

// Who reads late knows when the bytes came all the same.
func TestBytesAreStampedWhenTheyArrive(t *testing.T) {
	ours, theirs := pair(t)
	g := new(Reading)
	ours.Follow(g)
	send(t, theirs, head)
	for tries := 0; ours.receiver.control.header.Type == 0; tries++ { // the kernel begins a moment after it was asked
		if tries == 10_000 {
			t.Fatal("the kernel stamps nothing")
		}
		send(t, theirs, "1\r\nx\r\n")
		read(t, ours)
		g.Next(1)
	}
	before := clock.Now()
	send(t, theirs, "5\r\nfirst\r\n")
	after := clock.Now() // on the loopback what is sent has arrived
	const late = 60 * time.Millisecond
	<-time.After(late)
	read(t, ours)
	n, at := g.Next(5)
	if n != 5 || at < before.Add(-time.Millisecond) || at > after.Add(late/2) {
		t.Errorf("%d bytes, stamped %s after they were sent and %s before they were read",
			n, at.Since(before), clock.Now().Since(at))
	}
}
