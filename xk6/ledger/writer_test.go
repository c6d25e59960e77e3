package ledger

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
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
	if err := w.flush(); err != nil && !errors.Is(err, ErrClosed) {
		t.Fatal(err)
	}
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
				if err := w.Row(Row{Schema: RowSchema, RequestIDs: []string{}}); err != nil {
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

func TestTheCallsOfAPlanAreMadeUnderANameOnce(t *testing.T) {
	dir := t.TempDir()
	named := func(instance string) (*Writer, error) { return Open(dir, instance, header, Options{Once: true}) }
	first, err := named("i0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = first.Close() }()
	if _, err := named("i0"); err == nil || !strings.Contains(err.Error(), "i0-0.ndjson is there already") {
		t.Errorf("a second i0: %v", err)
	}
	other, err := named("i1")
	if err != nil {
		t.Fatal(err)
	}
	_ = other.Close()
	if files, _ := os.ReadDir(dir); len(files) != 2 {
		t.Errorf("%d files", len(files))
	}
}
