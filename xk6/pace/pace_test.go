package pace

import (
	"runtime"
	"testing"
	"time"
)

func TestASmallProcessIsLeftAloneAndALargeOneKeepsItsShare(t *testing.T) {
	if got := limitFor(10<<20, 5<<20, 0); got != quiet {
		t.Errorf("a small process: expected %d, found %d", quiet, got)
	}
	live, rest := uint64(400<<20), uint64(50<<20)
	if got, want := limitFor(live, rest, 0), int64(600<<20+50<<20); got != want {
		t.Errorf("a large process: expected %d, found %d", want, got)
	}
}

func TestEachVirtualUserHasItsRoom(t *testing.T) {
	if got, want := limitFor(10<<20, 5<<20, 2000), int64(quiet+2000*perUser); got != want {
		t.Errorf("2,000 users: expected %d, found %d", want, got)
	}
	if got, want := limitFor(400<<20, 50<<20, 2000), int64(650<<20); got != want {
		t.Errorf("2,000 users who need more: expected %d, found %d", want, got)
	}
}

// The limit must stay above what is in use at every size: a limit below it would make the collector run all the time.
func TestTheLimitIsAboveWhatIsInUse(t *testing.T) {
	for live := uint64(1 << 20); live < 1<<40; live *= 3 {
		if limit := limitFor(live, live/4, 0); limit < int64(live+live/4)+int64(live)/3 {
			t.Errorf("live heap of %d: the limit %d leaves no room", live, limit)
		}
	}
}

func TestEachCollectionIsFollowed(t *testing.T) {
	seen := make(chan struct{}, 1)
	afterEach(func() {
		select {
		case seen <- struct{}{}:
		default:
		}
	})
	for range 3 {
		runtime.GC()
		select {
		case <-seen:
		case <-time.After(30 * time.Second):
			t.Fatal("a collection was not followed")
		}
	}
}
