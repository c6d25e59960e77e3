package ledger

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"
)

func line(callID, text string) Text {
	return Text{Schema: TextSchema, CallID: callID, Beside: []string{}, Text: text}
}

func textsOf(t *testing.T, w *Writer) string {
	t.Helper()
	text, err := os.ReadFile(strings.TrimSuffix(w.Path(), ".ndjson") + ".texts")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestTextsAreKeptBesideTheLedgerForItsOwnerAlone(t *testing.T) {
	w := open(t, t.TempDir(), Options{KeepTexts: true})
	ref := w.Text(line("a", "h\u00e9 \"said\"\n<\u2028>"))
	if ref == nil || *ref != "i0-0.texts" {
		t.Fatalf("text_ref %v", ref)
	}
	if !w.KeepsTexts() || w.Text(line("b", "")) == nil {
		t.Error("the second text was not kept")
	}
	want := `{"schema":"weighbridge.text/1","call_id":"a","beside":[],"text":"hé \"said\"\n<\u2028>"}` + "\n" +
		`{"schema":"weighbridge.text/1","call_id":"b","beside":[],"text":""}` + "\n"
	if got := textsOf(t, w); got != want {
		t.Errorf("want %s\nfound %s", want, got)
	}
	info, err := os.Stat(strings.TrimSuffix(w.Path(), ".ndjson") + ".texts")
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v %v", info.Mode(), err)
	}
	if strings.Contains(contents(t, w), "text/1") {
		t.Error("a text stands in the ledger itself")
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if w.Text(line("c", "late")) != nil {
		t.Error("a text after the end was told as kept")
	}
}

func TestNoTextIsKeptWithoutBeingAsked(t *testing.T) {
	dir := t.TempDir()
	w := open(t, dir, Options{})
	if w.KeepsTexts() || w.Text(line("a", "x")) != nil {
		t.Error("told as kept")
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("files: %v", entries)
	}
}

// tornOnce takes half of its first line and fails.
type tornOnce struct {
	bytes.Buffer
	failed bool
}

func (f *tornOnce) Write(line []byte) (int, error) {
	if f.failed {
		return f.Buffer.Write(line)
	}
	f.failed = true
	n, _ := f.Buffer.Write(line[:len(line)/2])
	return n, errors.New("full")
}
func (*tornOnce) Sync() error          { return nil }
func (*tornOnce) Truncate(int64) error { return nil }
func (*tornOnce) Close() error         { return nil }

func TestATextThatDidNotGoInIsNamedByNoRow(t *testing.T) {
	file := &tornOnce{}
	w := newWriter(file, "", Options{})
	w.texts = &texts{file: file, name: "t"}
	if w.Text(line("a", "lost")) != nil {
		t.Error("half a line was told as kept")
	}
	if w.Text(line("b", "whole")) == nil {
		t.Error("the next one was not kept")
	}
	lines := strings.Split(file.String(), "\n")
	if len(lines) != 3 || !strings.HasSuffix(lines[1], `"text":"whole"}`) || lines[2] != "" {
		t.Errorf("file: %q", lines)
	}
}
