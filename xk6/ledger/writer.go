package ledger

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"
)

// ErrClosed is returned for a line after Close.
var ErrClosed = errors.New("the ledger is closed")

// ErrBacklog is returned for a row that found the memory for waiting lines full, because the disk stalls.
var ErrBacklog = errors.New("the ledger's disk is too slow: too many lines are waiting for it")

const (
	// maxFiles bounds the search for a free file number.
	maxFiles = 100_000
	// rowDelay is the longest that a row waits for a write to share.
	rowDelay = 40 * time.Millisecond
	// backlogBytes bounds the lines that wait while a write is under way; intents hold back from half of it.
	backlogBytes = 32 << 20
)

// Options of a writer.
type Options struct {
	// SyncIntents flushes each intent to the disk before its call is sent, beyond handing it to the kernel.
	SyncIntents bool
	// KeepTexts opens a file for the texts of answers beside the ledger file.
	KeepTexts bool
	// Once refuses a folder that has a file of the instance: another process would name its calls alike.
	Once bool
	// Failed hears of every write that failed, also of one that held rows alone. May be nil.
	Failed func(error)
}

// Writer appends lines to one file. Lines of many callers share a write: an intent comes back when the operating
// system has it, so what was accepted survives kill -9; a row may wait up to rowDelay for the next write.
// A nil Writer takes the lines of a call that no ledger holds, and writes none.
type Writer struct {
	options Options
	path    string
	file    sink
	texts   *texts // nil unless they are kept
	backlog int    // bytes
	lost    atomic.Int64

	mu      sync.Mutex
	next    *group    // takes the lines that come
	spare   *group    // one that was written, for its memory
	room    sync.Cond // intents wait here while the backlog is full
	leading bool      // some caller writes a group now
	timed   bool      // the timer will write the rows that wait
	timer   *time.Timer
	hurried bool
	closed  bool

	// Of the caller that leads.
	size int64
	torn bool
}

// Open creates the next free file <dir>/<instance>-<n>.ndjson and writes its header.
func Open(dir, instance string, header func(file int) Header, options Options) (*Writer, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("ledger: %w", err)
	}
	for n := range maxFiles {
		path := filepath.Join(dir, fmt.Sprintf("%s-%d.ndjson", instance, n))
		file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0o644)
		if errors.Is(err, os.ErrExist) && options.Once {
			return nil, fmt.Errorf("ledger: %s is there already: another k6 makes, or made, the calls of this plan as instance %s: "+
				"give each a WEIGHBRIDGE_INSTANCE of its own, or write the plan anew to make its calls again", path, instance)
		}
		if errors.Is(err, os.ErrExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("ledger: %w", err)
		}
		w := newWriter(file, path, options)
		line := header(n)
		if err := w.durable(encoded(func(e *encoder) { e.headerLine(&line) })); err != nil {
			return nil, errors.Join(err, file.Close())
		}
		if options.KeepTexts {
			if w.texts, err = openTexts(path); err != nil {
				return nil, errors.Join(err, file.Close())
			}
		}
		return w, nil
	}
	return nil, fmt.Errorf("ledger: %s already holds %d files of instance %s", dir, maxFiles, instance)
}

func newWriter(file sink, path string, options Options) *Writer {
	w := &Writer{options: options, path: path, file: file, next: &group{}, backlog: backlogBytes}
	w.room.L = &w.mu
	w.timer = time.AfterFunc(time.Hour, w.writeDue)
	w.timer.Stop()
	return w
}

// Path is the file being written.
func (w *Writer) Path() string { return w.path }

// Intent hands an intent to the operating system. The call may be sent only if it returns nil.
func (w *Writer) Intent(line Intent) error {
	if w == nil {
		return nil
	}
	e := encoded(func(e *encoder) { e.intentLine(&line) })
	defer e.free()
	if e.err != nil {
		return e.err
	}
	w.mu.Lock()
	for len(w.next.text) > w.backlog/2 && !w.closed {
		w.room.Wait()
	}
	return w.shared(e.text, w.options.SyncIntents)
}

// Row takes a call's row and hands it to the operating system within rowDelay. A row that cannot be taken or written
// is counted as lost; of a failing write Options.Failed hears.
func (w *Writer) Row(line Row) error {
	if w == nil {
		return nil
	}
	e := encoded(func(e *encoder) { e.rowLine(&line) })
	defer e.free()
	err := e.err
	if err == nil {
		err = w.queue(e.text)
	}
	if err != nil {
		w.lost.Add(1)
	}
	return err
}

func (w *Writer) queue(text []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.closed:
		return ErrClosed
	case len(w.next.text)+len(text) > w.backlog:
		return ErrBacklog
	}
	w.next.add(text)
	w.next.rows = append(w.next.rows, len(w.next.text))
	if !w.timed {
		w.timed = true
		delay := rowDelay
		if w.hurried {
			delay = 0
		}
		w.timer.Reset(delay)
	}
	return nil
}

// State writes a state line and flushes all lines before it to the disk.
func (w *Writer) State(line State) error {
	return w.durable(encoded(func(e *encoder) { e.stateLine(&line) }))
}

// Hurry writes what waits now and from here on lets no row wait: the process may be stopped at any moment.
func (w *Writer) Hurry() error {
	w.mu.Lock()
	w.hurried = true
	w.mu.Unlock()
	return w.flush()
}

func (w *Writer) flush() error {
	w.mu.Lock()
	return w.shared(nil, false)
}

// Lost counts rows that could not be written.
func (w *Writer) Lost() int64 { return w.lost.Load() }

// Close writes what waits, flushes and closes the file; later lines are refused.
func (w *Writer) Close() error {
	w.mu.Lock()
	if w.closed {
		w.mu.Unlock()
		return nil
	}
	w.closed = true
	w.room.Broadcast()
	err := w.written(w.next, 0, false)
	if w.texts != nil {
		err = errors.Join(err, w.texts.close())
	}
	return errors.Join(err, w.file.Sync(), w.file.Close())
}

// durable appends a line and flushes the file, outside the lead: other calls must not wait for the disk.
func (w *Writer) durable(e *encoder) error {
	defer e.free()
	if e.err != nil {
		return e.err
	}
	w.mu.Lock()
	if err := w.shared(e.text, false); err != nil {
		return err
	}
	if err := w.file.Sync(); err != nil {
		return fmt.Errorf("ledger %s: %w", w.path, err)
	}
	return nil
}

// shared adds a line to the next group and comes back when the group is written. Called with mu, returns without it.
func (w *Writer) shared(text []byte, sync bool) error {
	if w.closed {
		w.mu.Unlock()
		return ErrClosed
	}
	g := w.next
	g.add(text)
	g.sync = g.sync || sync
	return w.written(g, len(g.text), sync)
}

// writeDue is the timer's: it writes the rows that nobody else has written meanwhile.
func (w *Writer) writeDue() {
	w.mu.Lock()
	w.timed = false
	if len(w.next.text) == 0 {
		w.mu.Unlock()
		return
	}
	_ = w.written(w.next, len(w.next.text), false) // Options.Failed hears of it
}
