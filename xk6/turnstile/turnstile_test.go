package turnstile

import (
	"io"
	"net"
	"runtime"
	"sync"
	"testing"
)

// Two hundred connections have a byte to read while two hundred goroutines have work: the bytes are read before half of
// the work is done, although the work was runnable first. A busy machine may take the processor from a thread that reads.
func TestWhatTheNetworkHasComesBeforeWorkThatWaits(t *testing.T) {
	const count = 200
	const interrupted = count / 20
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	gate := New()
	ours, theirs := connections(t, count)

	var order sync.Mutex
	var seen []string
	note := func(what string) {
		order.Lock()
		defer order.Unlock()
		seen = append(seen, what)
	}
	var all sync.WaitGroup
	begin := make(chan struct{})
	for _, conn := range ours {
		all.Add(1)
		go func() {
			defer all.Done()
			if _, err := io.ReadFull(conn, make([]byte, 1)); err == nil {
				note("read")
			}
		}()
	}
	for range count {
		all.Add(1)
		go func() {
			defer all.Done()
			<-begin
			gate.Pass()
			note("work")
		}()
	}
	runtime.Gosched() // all stand where they wait
	for _, conn := range theirs {
		if _, err := conn.Write([]byte{1}); err != nil {
			t.Fatal(err)
		}
	}
	close(begin)
	all.Wait()

	worked, late := 0, 0
	for _, what := range seen {
		if what == "work" {
			worked++
		} else if worked > count/2 {
			late++
		}
	}
	if late > interrupted {
		t.Fatalf("%d of %d bytes were read when half of the work was done", late, count)
	}
	if len(seen) != 2*count {
		t.Fatalf("expected %d notes, found %d", 2*count, len(seen))
	}
}

// asked counts how often the network was asked.
type asked int

func (a *asked) wait() { *a++ }

func TestTheNetworkIsAskedBeforeEveryFewPasses(t *testing.T) {
	var count asked
	gate := &Turnstile{lanes: make(chan *lane, 1)}
	gate.lanes <- &lane{poll: &count}
	for pass := range 5 * atOnce {
		gate.Pass()
		if want := pass/atOnce + 1; int(count) != want {
			t.Fatalf("after %d passes: expected the network to be asked %d times, found %d", pass+1, want, count)
		}
	}
}

func TestPassingManyTimesLeavesNothingBehind(t *testing.T) {
	gate := New()
	var all sync.WaitGroup
	for range 50 {
		all.Add(1)
		go func() {
			defer all.Done()
			for range 200 {
				gate.Pass()
			}
		}()
	}
	all.Wait()
	if got, want := len(gate.lanes), runtime.GOMAXPROCS(0); got != want {
		t.Errorf("expected %d free lanes, found %d", want, got)
	}
}

func connections(t *testing.T, count int) (ours, theirs []net.Conn) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	for range count {
		own, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		other, err := listener.Accept()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _, _ = own.Close(), other.Close() })
		ours, theirs = append(ours, own), append(theirs, other)
	}
	return ours, theirs
}

func BenchmarkPass(b *testing.B) {
	gate := New()
	for range b.N {
		gate.Pass()
	}
}
