package ledger

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// fullDisk takes a few bytes and then fails, as a full file system does.
type fullDisk struct {
	bytes.Buffer
	room       int
	noTruncate bool
}

func (d *fullDisk) Write(text []byte) (int, error) {
	if len(text) <= d.room {
		d.room -= len(text)
		return d.Buffer.Write(text)
	}
	n, _ := d.Buffer.Write(text[:d.room])
	d.room = 0
	return n, syscall.ENOSPC
}
func (d *fullDisk) Sync() error  { return nil }
func (d *fullDisk) Close() error { return nil }
func (d *fullDisk) Truncate(size int64) error {
	if d.noTruncate {
		return syscall.EIO
	}
	d.room += d.Len() - int(size)
	d.Buffer.Truncate(int(size))
	return nil
}

func TestAFullDiskLeavesWholeLinesAndCountsRows(t *testing.T) {
	var heard error
	disk := &fullDisk{room: 40}
	w := newWriter(disk, "", Options{Failed: func(err error) { heard = err }})
	if err := w.Row(Row{}); err != nil {
		t.Fatalf("a row is taken before it is written: %v", err)
	}
	_ = w.flush()
	if w.Lost() != 1 || disk.Len() != 0 || !errors.Is(heard, syscall.ENOSPC) {
		t.Errorf("lost %d, file %q, heard %v", w.Lost(), disk.String(), heard)
	}
	if err := w.Intent(Intent{}); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("an intent that is not written must refuse its call: %v", err)
	}
	disk.room = 10_000
	if err := w.Intent(Intent{}); err != nil || strings.Count(disk.String(), "\n") != 1 {
		t.Errorf("%v: %q", err, disk.String())
	}
}

// Of a group that does not fit, the lines before the torn one are in the file and count as written.
func TestAGroupThatDoesNotFitKeepsItsWholeLines(t *testing.T) {
	disk := &fullDisk{}
	w := newWriter(disk, "", Options{})
	e := encoded(func(e *encoder) { e.rowLine(&Row{}) })
	line := len(e.text)
	disk.room = 2*line + line/2
	for range 4 {
		if err := w.Row(Row{}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Intent(Intent{}); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("the intent at the end of the group: %v", err)
	}
	if w.Lost() != 2 || disk.Len() != 2*line {
		t.Errorf("lost %d, %d bytes in the file, a line has %d", w.Lost(), disk.Len(), line)
	}
}

func TestATornLineIsEndedBeforeTheNext(t *testing.T) {
	disk := &fullDisk{room: 40, noTruncate: true}
	w := newWriter(disk, "", Options{})
	_ = w.Row(Row{})
	_ = w.flush()
	disk.room = 10_000
	if err := w.Intent(Intent{CallID: "next"}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(disk.String(), "\n")
	if len(lines) != 3 || len(lines[0]) != 40 || !strings.Contains(lines[1], `"next"`) {
		t.Errorf("file: %q", lines)
	}
}

// A real file system that is full: a tmpfs of 64 KiB.
func TestAFullFileSystem(t *testing.T) {
	dir := t.TempDir()
	if err := mountTmpfs(dir, "64k"); err != nil {
		t.Skipf("needs the right to mount a tmpfs: %v", err)
	}
	t.Cleanup(func() {
		if err := unmount(dir); err != nil {
			t.Error(err)
		}
	})
	w := open(t, dir, Options{})
	accepted := 0
	var err error
	for err == nil && accepted < 1000 {
		if err = w.Intent(Intent{Schema: IntentSchema, Model: strings.Repeat("m", 1000)}); err == nil {
			accepted++
		}
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("after %d intents: %v", accepted, err)
	}
	text, _ := os.ReadFile(filepath.Join(dir, "i0-0.ndjson"))
	if lines := bytes.Count(text, []byte("\n")); lines != accepted+1 || !bytes.HasSuffix(text, []byte("}\n")) {
		t.Errorf("%d intents were accepted, the file has %d lines", accepted, lines)
	}
	_ = w.Row(Row{Scenario: strings.Repeat("s", 2000)})
	_ = w.flush()
	if w.Lost() != 1 {
		t.Errorf("lost %d", w.Lost())
	}
}

// slowDisk answers a write only when it is told to, and keeps the order of what was asked of it.
type slowDisk struct {
	mu      sync.Mutex
	done    []string
	arrived chan struct{}
	release chan struct{}
}

func newSlowDisk() *slowDisk {
	return &slowDisk{arrived: make(chan struct{}, 1000), release: make(chan struct{})}
}

func (d *slowDisk) Write(text []byte) (int, error) {
	d.arrived <- struct{}{}
	<-d.release
	d.note("write " + strings.Join(callIDs(text), " "))
	return len(text), nil
}
func (d *slowDisk) Sync() error          { d.note("sync"); return nil }
func (d *slowDisk) Truncate(int64) error { return nil }
func (d *slowDisk) Close() error         { d.note("close"); return nil }

func (d *slowDisk) note(what string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.done = append(d.done, what)
}

func (d *slowDisk) order() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.done)
}

func callIDs(text []byte) []string {
	var ids []string
	for line := range bytes.Lines(text) {
		_, rest, _ := bytes.Cut(line, []byte(`"call_id":"`))
		id, _, _ := bytes.Cut(rest, []byte(`"`))
		ids = append(ids, string(id))
	}
	return ids
}

// waiting is how many callers of a writer's next group wait for it: its length tells.
func waiting(t *testing.T, w *Writer, lines int) {
	t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for time.Now().Before(deadline) {
		w.mu.Lock()
		found := bytes.Count(w.next.text, []byte("\n"))
		w.mu.Unlock()
		if found == lines {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatalf("the next group never had %d lines", lines)
}

func TestWhatComesDuringAWriteSharesTheNextAndOneFlush(t *testing.T) {
	disk := newSlowDisk()
	w := newWriter(disk, "", Options{SyncIntents: true})
	var group sync.WaitGroup
	intent := func(id string) {
		group.Go(func() {
			if err := w.Intent(Intent{CallID: id}); err != nil {
				t.Error(err)
			}
			disk.note("sent " + id)
		})
	}
	intent("a")
	<-disk.arrived
	if err := w.Row(Row{CallID: "r"}); err != nil {
		t.Fatal(err)
	}
	intent("b")
	waiting(t, w, 2)
	intent("c")
	waiting(t, w, 3)
	if order := disk.order(); len(order) != 0 {
		t.Fatalf("nothing is written, yet %v", order)
	}
	close(disk.release)
	group.Wait()
	order := disk.order()
	at := func(what string) int { return slices.Index(order, what) }
	if at("write a") != 0 || at("sync") != 1 || !slices.Contains(order, "write r b c") {
		t.Fatalf("order: %v", order)
	}
	second := at("write r b c")
	flushed := second + slices.Index(order[second:], "sync")
	if at("sent a") < 1 || flushed < second || at("sent b") < flushed || at("sent c") < flushed {
		t.Errorf("an intent came back before its flush: %v", order)
	}
	if n := len(slices.DeleteFunc(slices.Clone(order), func(s string) bool { return s != "sync" })); n != 2 {
		t.Errorf("%d flushes for two groups: %v", n, order)
	}
}

func TestAStalledDiskHoldsIntentsBackAndLosesRowsPastTheBound(t *testing.T) {
	disk := newSlowDisk()
	w := newWriter(disk, "", Options{})
	w.backlog = 10_000
	var group sync.WaitGroup
	group.Go(func() { _ = w.Intent(Intent{CallID: "first"}) })
	<-disk.arrived
	rows := 0
	for w.Lost() == 0 && rows < 1000 {
		_ = w.Row(Row{CallID: "row"})
		rows++
	}
	if err := w.Row(Row{}); !errors.Is(err, ErrBacklog) || w.Lost() != 2 {
		t.Errorf("%v, lost %d of %d", err, w.Lost(), rows)
	}
	accepted := make(chan error, 1)
	group.Go(func() { accepted <- w.Intent(Intent{CallID: "held"}) })
	w.mu.Lock()
	if size := len(w.next.text); size > w.backlog {
		t.Errorf("%d bytes wait, the bound is %d", size, w.backlog)
	}
	w.mu.Unlock()
	select {
	case err := <-accepted:
		t.Fatalf("an intent was accepted while the disk stalls: %v", err)
	default:
	}
	close(disk.release)
	group.Wait()
	if err := <-accepted; err != nil {
		t.Errorf("after the stall: %v", err)
	}
	if err := w.Close(); err != nil || w.Lost() != 2 {
		t.Errorf("close: %v, lost %d", err, w.Lost())
	}
	order := disk.order()
	if !slices.Equal(order[len(order)-2:], []string{"sync", "close"}) || !slices.Contains(order, "write held") {
		t.Errorf("order: %d entries, last %q", len(order), order[len(order)-3:])
	}
}

func TestARowIsWrittenWithoutAnotherLineComing(t *testing.T) {
	disk := newSlowDisk()
	close(disk.release)
	w := newWriter(disk, "", Options{})
	if err := w.Row(Row{CallID: "alone"}); err != nil {
		t.Fatal(err)
	}
	select {
	case <-disk.arrived:
	case <-time.After(10 * time.Second):
		t.Fatal("the row was never written")
	}
}
