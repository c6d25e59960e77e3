package call

import (
	"context"
	"errors"
	"net"
	"testing"
	"time"

	"weighbridge.dev/xk6/clock"
	"weighbridge.dev/xk6/outcome"
	"weighbridge.dev/xk6/stamp"
)

func TestTheEarliestDeadlineCutsTheRequest(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	w := newWatch(cancel)
	now := clock.Now()
	w.start(alarmTotal, now, time.Hour)
	w.start(alarmIdle, now, 5*time.Millisecond) // earlier than the first: the timer is set anew
	<-ctx.Done()
	if o, is := cut(ctx); !is || o != outcome.TimeoutIdle {
		t.Errorf("cut by %q", o)
	}
	if passed := clock.Now().Since(now); passed < 5*time.Millisecond {
		t.Errorf("cut after %s", passed)
	}
}

func TestADeadlineThatMovedRingsAtItsNewTime(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	w := newWatch(cancel)
	now := clock.Now()
	w.start(alarmIdle, now, 100*time.Millisecond)
	w.start(alarmIdle, now, 2*time.Second) // so far apart that no busy machine makes the first ring as late
	<-ctx.Done()
	if passed := clock.Now().Since(now); passed < 2*time.Second {
		t.Errorf("cut after %s", passed)
	}
}

func TestADisarmedDeadlineDoesNotRing(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	w := newWatch(cancel)
	now := clock.Now()
	w.start(alarmConnect, now, 300*time.Millisecond)
	w.disarm(alarmConnect)
	w.start(alarmTotal, now, 400*time.Millisecond)
	<-ctx.Done()
	if o, _ := cut(ctx); o != outcome.TimeoutTotal {
		t.Errorf("cut by %q", o)
	}
}

func TestAFinishedAnswerIsDrainedNotTimedOut(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	w := newWatch(cancel)
	now := clock.Now()
	w.start(alarmStop, now, time.Nanosecond+drainTime/2)
	w.drain(now)
	<-ctx.Done()
	if !errors.Is(context.Cause(ctx), drainedError{}) {
		t.Errorf("cut by %v", context.Cause(ctx))
	}
}

func TestAStoppedWatchCutsNothing(t *testing.T) {
	cut := make(chan error, 1)
	w := newWatch(func(cause error) { cut <- cause })
	w.start(alarmTotal, clock.Now(), time.Hour)
	w.stop()
	w.start(alarmIdle, clock.Now(), time.Nanosecond)
	w.ring() // a ring that was under way when the watch was stopped
	if len(cut) != 0 {
		t.Errorf("cut by %v", <-cut)
	}
}

// Bytes that wait at the connection are news: the idle alarm counts from them, not from those that were passed on.
func TestBytesThatAreHeldPutTheIdleAlarmOff(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	ours, theirs := net.Pipe()
	defer func() { _, _ = ours.Close(), theirs.Close() }()
	conn, arrivals := stamp.Wrap(ours, stamp.Counts{}), new(stamp.Reading)
	conn.Follow(arrivals)
	const idle = 300 * time.Millisecond
	w := newWatch(cancel)
	w.listen(arrivals, idle)
	w.start(alarmIdle, clock.Now(), idle)

	go func() {
		<-time.After(idle / 2)
		_, _ = theirs.Write([]byte("HTTP/1.1 200 OK\r\n\r\n"))
	}()
	if _, err := conn.Read(make([]byte, 100)); err != nil {
		t.Fatal(err)
	}
	heard := arrivals.Heard()
	<-ctx.Done()
	if o, _ := cut(ctx); o != outcome.TimeoutIdle {
		t.Errorf("cut by %q", o)
	}
	if silent := clock.Now().Since(heard); silent < idle {
		t.Errorf("cut after a silence of %s", silent)
	}
}
