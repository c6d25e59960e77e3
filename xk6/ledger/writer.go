package ledger

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
)

// ErrClosed is returned for a line after Close.
var ErrClosed = errors.New("the ledger is closed")

// maxFiles bounds the search for a free file number.
const maxFiles = 100_000

// Options of a writer.
type Options struct {
	// SyncIntents flushes each intent to the disk before its call is sent, beyond handing it to the kernel.
	SyncIntents bool
	// Scrub is applied to each line; it takes secrets out.
	Scrub func([]byte) []byte
}

// Writer appends lines to one file. Every line is one write(2): nothing waits in this process, so what was
// accepted survives kill -9.
type Writer struct {
	options Options
	path    string

	mu     sync.Mutex
	file   sink
	size   int64
	torn   bool
	closed bool
	lost   int64
}

type sink interface {
	Write([]byte) (int, error)
	Sync() error
	Truncate(int64) error
	Close() error
}

// Open creates the next free file <dir>/<instance>-<n>.ndjson and writes its header.
func Open(dir, instance string, header func(file int) Header, options Options) (*Writer, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("ledger: %w", err)
	}
	for n := range maxFiles {
		path := filepath.Join(dir, fmt.Sprintf("%s-%d.ndjson", instance, n))
		file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0o644)
		if errors.Is(err, os.ErrExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("ledger: %w", err)
		}
		w := &Writer{options: options, path: path, file: file}
		if err := w.append(header(n), true); err != nil {
			return nil, errors.Join(err, file.Close())
		}
		return w, nil
	}
	return nil, fmt.Errorf("ledger: %s already holds %d files of instance %s", dir, maxFiles, instance)
}

// Path is the file being written.
func (w *Writer) Path() string { return w.path }

// Intent hands an intent to the operating system. The call may be sent only if it returns nil.
func (w *Writer) Intent(line Intent) error { return w.append(line, w.options.SyncIntents) }

// Row writes a call; a row that cannot be written is counted as lost.
func (w *Writer) Row(line Row) error {
	err := w.append(line, false)
	if err != nil {
		w.mu.Lock()
		w.lost++
		w.mu.Unlock()
	}
	return err
}

// State writes a state line and flushes all lines before it to the disk.
func (w *Writer) State(line State) error { return w.append(line, true) }

// Lost counts rows that could not be written.
func (w *Writer) Lost() int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.lost
}

// Close flushes and closes the file; later lines are refused.
func (w *Writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return nil
	}
	w.closed = true
	return errors.Join(w.file.Sync(), w.file.Close())
}

func (w *Writer) append(line any, sync bool) error {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(line); err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
	text := buffer.Bytes()
	if w.options.Scrub != nil {
		text = w.options.Scrub(text)
	}
	if err := w.appendText(text); err != nil {
		return err
	}
	if sync { // without the lock: other calls must not wait for the disk
		if err := w.file.Sync(); err != nil {
			return fmt.Errorf("ledger %s: %w", w.path, err)
		}
	}
	return nil
}

func (w *Writer) appendText(text []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return ErrClosed
	}
	if err := w.write(text); err != nil {
		return fmt.Errorf("ledger %s: %w", w.path, err)
	}
	return nil
}

// write appends a whole line or leaves the file as it was; where that fails the torn line is ended later.
func (w *Writer) write(text []byte) error {
	if w.torn {
		text = append([]byte{'\n'}, text...)
	}
	n, err := w.file.Write(text)
	if err == nil {
		w.size += int64(n)
		w.torn = false
		return nil
	}
	if n > 0 {
		if w.file.Truncate(w.size) != nil {
			w.size += int64(n)
			w.torn = true
		}
	}
	return err
}
