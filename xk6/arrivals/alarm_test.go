package arrivals

import (
	"context"
	"testing"
	"time"

	"weighbridge.dev/xk6/clock"
)

func TestTheAlarmNeverWakesBeforeItsTime(t *testing.T) {
	a := newAlarm()
	defer a.close()
	begin := clock.Now()
	for i := range 40 {
		until := begin.Add(time.Duration(i) * 1300 * time.Microsecond)
		a.sleep(t.Context(), until, nil)
		if early := until.Since(clock.Now()); early > 0 {
			t.Fatalf("woke %s early", early)
		}
	}
}

func TestTheAlarmIsCutShortByAHaltAndByTheEnd(t *testing.T) {
	a := newAlarm()
	defer a.close()
	far := clock.Now().Add(time.Hour)
	halted := make(chan struct{})
	close(halted)
	a.sleep(t.Context(), far, halted)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	a.sleep(ctx, far, nil)
	if clock.Now() > far {
		t.Error("slept to the end")
	}
}

func TestTheAlarmWorksWithoutASystemTimer(t *testing.T) {
	a := &alarm{runtime: time.NewTimer(time.Hour)}
	defer a.close()
	until := clock.Now().Add(3 * time.Millisecond)
	a.sleep(t.Context(), until, nil)
	if clock.Now() < until {
		t.Error("woke early")
	}
}
