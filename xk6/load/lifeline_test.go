package load

import (
	"io"
	"testing"
	"time"

	"weighbridge.dev/xk6/halt"
)

func TestStartsEndWithTheLifeline(t *testing.T) {
	run, err := New(Settings{})
	if err != nil {
		t.Fatal(err)
	}
	reader, writer := io.Pipe()
	run.follow(reader)
	if reason, halted := run.Halt.Reason(); halted {
		t.Fatalf("halted while the starter lives: %q", reason)
	}
	_ = writer.Close()
	select {
	case <-run.Halt.Done():
	case <-time.After(10 * time.Second):
		t.Fatal("not halted after the starter is gone")
	}
	if reason, _ := run.Halt.Reason(); reason != halt.Interrupted {
		t.Fatalf("want %q, found %q", halt.Interrupted, reason)
	}
}

func TestTheStarterStopsTheRunWithAReason(t *testing.T) {
	run, err := New(Settings{})
	if err != nil {
		t.Fatal(err)
	}
	reader, writer := io.Pipe()
	run.follow(reader)
	for _, line := range []string{"halt no_such_reason\n", "credit_kept\n", "halt credit_kept\n"} {
		if reason, halted := run.Halt.Reason(); halted {
			t.Fatalf("halted with %q before it was told to", reason)
		}
		if _, err := writer.Write([]byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	select {
	case <-run.Halt.Done():
	case <-time.After(10 * time.Second):
		t.Fatal("the order was not heard")
	}
	_ = writer.Close()
	if reason, _ := run.Halt.Reason(); reason != halt.CreditKept {
		t.Fatalf("want %q, found %q", halt.CreditKept, reason)
	}
}
