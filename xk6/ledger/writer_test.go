package ledger

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
)

func header(file int) Header { return Header{Schema: HeaderSchema, RunID: "r", File: file} }

func open(t *testing.T, dir string, options Options) *Writer {
	t.Helper()
	w, err := Open(dir, "i0", header, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return w
}

func contents(t *testing.T, w *Writer) string {
	t.Helper()
	text, err := os.ReadFile(w.Path())
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestAnIntentIsInTheFileWhenTheCallReturns(t *testing.T) {
	w := open(t, t.TempDir(), Options{SyncIntents: true})
	if err := w.Intent(Intent{Schema: IntentSchema, CallID: "a", Model: "<m&>"}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(contents(t, w), "\n")
	want := `{"schema":"weighbridge.intent/1","run_id":"","instance":"","call_id":"a","logical_id":"","attempt":0,"kind":"","model":"<m&>","key_fp":null,"at":"","worst_case_usd":null,"prompt_bytes":0,"max_tokens":null,"units":null,"watermark":null}`
	if len(lines) != 3 || !strings.HasPrefix(lines[0], `{"schema":"weighbridge.ledger/1"`) || lines[1] != want || lines[2] != "" {
		t.Errorf("file: %q", lines)
	}
}

func TestANewWriterTakesANewFile(t *testing.T) {
	dir := t.TempDir()
	first, second := open(t, dir, Options{}), open(t, dir, Options{})
	if filepath.Base(first.Path()) != "i0-0.ndjson" || filepath.Base(second.Path()) != "i0-1.ndjson" {
		t.Errorf("files %s, %s", first.Path(), second.Path())
	}
	if !strings.Contains(contents(t, second), `"file":1`) {
		t.Errorf("header: %s", contents(t, second))
	}
}

func TestLinesOfManyCallersStayWhole(t *testing.T) {
	w := open(t, t.TempDir(), Options{})
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 100 {
				if err := w.Row(Row{Schema: CallSchema, RequestIDs: []string{}}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	lines := strings.Split(strings.TrimSuffix(contents(t, w), "\n"), "\n")
	for _, line := range lines {
		if !strings.HasPrefix(line, "{") || !strings.HasSuffix(line, "}") {
			t.Fatalf("torn: %s", line)
		}
	}
	if len(lines) != 801 {
		t.Errorf("%d lines", len(lines))
	}
}

func TestAfterCloseLinesAreRefused(t *testing.T) {
	w := open(t, t.TempDir(), Options{})
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := w.Intent(Intent{}); !errors.Is(err, ErrClosed) {
		t.Errorf("found %v", err)
	}
}

func TestScrub(t *testing.T) {
	w := open(t, t.TempDir(), Options{Scrub: func(line []byte) []byte {
		return bytes.ReplaceAll(line, []byte("secret"), []byte("[key]"))
	}})
	if err := w.Row(Row{Scenario: "a secret b"}); err != nil {
		t.Fatal(err)
	}
	if text := contents(t, w); strings.Contains(text, "secret") || !strings.Contains(text, "a [key] b") {
		t.Errorf("file: %s", text)
	}
}

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
	disk := &fullDisk{room: 40}
	w := &Writer{file: disk}
	if err := w.Row(Row{}); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("found %v", err)
	}
	if w.Lost() != 1 || disk.Len() != 0 {
		t.Errorf("lost %d, file %q", w.Lost(), disk.String())
	}
	if err := w.Intent(Intent{}); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("an intent that is not written must refuse its call: %v", err)
	}
	disk.room = 10_000
	if err := w.Row(Row{}); err != nil || strings.Count(disk.String(), "\n") != 1 {
		t.Errorf("%v: %q", err, disk.String())
	}
}

func TestATornLineIsEndedBeforeTheNext(t *testing.T) {
	disk := &fullDisk{room: 40, noTruncate: true}
	w := &Writer{file: disk}
	_ = w.Row(Row{})
	disk.room = 10_000
	if err := w.Row(Row{CallID: "next"}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(disk.String(), "\n")
	if len(lines) != 3 || len(lines[0]) != 40 || !strings.Contains(lines[1], `"next"`) {
		t.Errorf("file: %q", lines)
	}
}
