package ledger

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// textsSuffix is that of a file of texts beside the ledger file whose rows name it. No reader of *.ndjson takes it up.
const textsSuffix = ".texts"

// texts appends what answers said to one file. A text that could not be written is told by its row, which names none.
type texts struct {
	mu   sync.Mutex
	file sink
	name string
	torn bool
}

// openTexts creates the file of texts of a ledger file; nobody but its owner may read it.
func openTexts(path string) (*texts, error) {
	path = strings.TrimSuffix(path, ".ndjson") + textsSuffix
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("ledger: %w", err)
	}
	return &texts{file: file, name: filepath.Base(path)}, nil
}

// write hands a line to the operating system. Half a line that stayed behind is ended by the next one.
func (t *texts) write(line []byte) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.file == nil:
		return ErrClosed
	case t.torn:
		line = append([]byte{'\n'}, line...)
	}
	n, err := t.file.Write(line)
	if n > 0 {
		t.torn = !bytes.HasSuffix(line[:n], []byte{'\n'})
	}
	return err
}

func (t *texts) close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.file == nil {
		return nil
	}
	err := errors.Join(t.file.Sync(), t.file.Close())
	t.file = nil
	return err
}

// KeepsTexts tells whether texts of answers are asked for.
func (w *Writer) KeepsTexts() bool { return w != nil && w.texts != nil }

// Text keeps what an answer said and gives the row's text_ref; nil where texts are not kept, or this one could not be.
func (w *Writer) Text(line Text) *string {
	if !w.KeepsTexts() {
		return nil
	}
	e := encoded(func(e *encoder) { e.textLine(&line) })
	defer e.free()
	if e.err != nil || w.texts.write(e.text) != nil {
		return nil
	}
	return &w.texts.name
}
