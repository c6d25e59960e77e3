package load

import (
	"math"
	"os"
	"runtime"
	"testing"
	"time"

	"weighbridge.dev/xk6/clock"
)

func TestATimerThatIsWokenLateSaysByHowMuch(t *testing.T) {
	lag := &timerLag{quit: make(chan struct{}), done: make(chan struct{})}
	var now time.Duration
	slept := 0
	lateness := []time.Duration{0, 30 * time.Millisecond, 2 * time.Millisecond}
	lag.run(func() clock.Moment { return clock.Moment(now) }, func(d time.Duration) {
		now += d + lateness[slept]
		if slept++; slept == len(lateness) {
			close(lag.quit)
		}
	})
	if most := lag.take(); most != 30*time.Millisecond {
		t.Errorf("expected the largest lateness, 30ms, found %v", most)
	}
	if again := lag.take(); again != 0 {
		t.Errorf("a lateness of the interval before is told twice: %v", again)
	}
}

func TestQuantileOfTheWaitsSinceTheReadingBefore(t *testing.T) {
	bounds := []float64{math.Inf(-1), 0, 1, 2, math.Inf(1)}
	for name, c := range map[string]struct {
		before, now []uint64
		want        float64
		known       bool
	}{
		"old waits do not count": {[]uint64{0, 0, 500, 0}, []uint64{0, 10, 500, 0}, 1, true},
		"nor quick ones":         {[]uint64{0, 500, 0, 0}, []uint64{0, 500, 10, 0}, 2, true},
		"99 of 100 below":        {[]uint64{0, 0, 0, 0}, []uint64{0, 99, 1, 0}, 1, true},
		"98 of 100 below":        {[]uint64{0, 0, 0, 0}, []uint64{0, 98, 2, 0}, 2, true},
		"no end of the last":     {[]uint64{0, 0, 0, 0}, []uint64{0, 0, 0, 7}, 2, true},
		"nobody waited":          {[]uint64{3, 4, 5, 6}, []uint64{3, 4, 5, 6}, 0, false},
	} {
		if got, known := quantileSince(c.before, c.now, bounds, 0.99); got != c.want || known != c.known {
			t.Errorf("%s: %v, %v", name, got, known)
		}
	}
}

func TestTheRunQueueIsReadFromTheRuntime(t *testing.T) {
	queue := newRunQueue()
	for range 100 {
		done := make(chan struct{})
		go close(done)
		<-done
	}
	if wait := queue.p99(); wait == nil || *wait < 0 {
		t.Errorf("expected a wait of the goroutines just run, found %v", wait)
	}
}

func TestWhatLinuxTellsOfThisProcess(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("other systems tell less")
	}
	before, limit, resident := openFiles(), openFilesLimit(), residentBytes()
	if before == nil || limit == nil || resident == nil {
		t.Fatalf("open files %v, limit %v, resident %v", before, limit, resident)
	}
	var files []*os.File
	for range 20 {
		file, err := os.Open("/proc/self/statm")
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	after := openFiles()
	for _, file := range files {
		_ = file.Close()
	}
	if *after < *before+20 || int64(*after) > *limit {
		t.Errorf("%d open files before, %d with 20 more, limit %d", *before, *after, *limit)
	}
	if *resident < 1<<20 || *resident > 1<<32 {
		t.Errorf("%d bytes resident", *resident)
	}
}
