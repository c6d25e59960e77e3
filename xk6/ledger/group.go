package ledger

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
)

type sink interface {
	Write([]byte) (int, error)
	Sync() error
	Truncate(int64) error
	Close() error
}

// group is the lines of one write. Its first caller that finds nobody writing leads: it writes the group for all of
// them, then hands the lead to one of those who came meanwhile.
type group struct {
	text []byte
	// rows are the ends of the rows in text.
	rows []int
	// sync is set where an intent in it must be on the disk.
	sync bool
	// wake passes the lead to one who waits, and is closed when the group is written.
	wake chan struct{}

	// After the write: how much of text is in the file as whole lines, and why not more.
	taken   int
	err     error
	syncErr error
}

func (g *group) add(text []byte) { g.text = append(g.text, text...) }

// written waits until the text of a group up to end is with the operating system, and leads where nobody else does.
// Called with mu, returns without it.
func (w *Writer) written(g *group, end int, sync bool) error {
	if w.leading {
		if g.wake == nil {
			g.wake = make(chan struct{}, 1)
		}
		w.mu.Unlock()
		if _, lead := <-g.wake; lead {
			w.lead(g)
		}
	} else {
		w.leading = true
		w.mu.Unlock()
		w.lead(g)
	}
	switch {
	case end > g.taken:
		return g.err
	case sync:
		return g.syncErr
	default:
		return nil
	}
}

// lead writes a group. The caller holds the lead and not mu.
func (w *Writer) lead(g *group) {
	w.mu.Lock()
	w.next, w.spare = w.spare, nil
	if w.next == nil {
		w.next = &group{}
	}
	w.mu.Unlock()
	w.commit(g)
	w.mu.Lock()
	if g.wake != nil {
		close(g.wake)
	}
	w.reuse(g)
	w.room.Broadcast()
	if w.next.wake != nil {
		w.next.wake <- struct{}{}
	} else {
		w.leading = false
	}
	w.mu.Unlock()
	if err := cmp.Or(g.err, g.syncErr); err != nil && w.options.Failed != nil {
		w.options.Failed(err)
	}
}

// maxSpare is the most memory kept for the next group.
const maxSpare = 4 << 20

// reuse keeps the memory of a group. Its callers may still read what became of it, so only the buffers go on.
func (w *Writer) reuse(g *group) {
	text, rows := g.text, g.rows
	g.text, g.rows = nil, nil
	if w.spare == nil && cap(text) <= maxSpare {
		w.spare = &group{text: text[:0], rows: rows[:0]}
	}
}

// commit writes a group and flushes it where an intent in it must be on the disk.
func (w *Writer) commit(g *group) {
	if len(g.text) == 0 {
		return
	}
	if err := w.write(g); err != nil {
		g.err = fmt.Errorf("ledger %s: %w", w.path, err)
	}
	if g.sync && g.taken > 0 {
		if err := w.file.Sync(); err != nil {
			g.syncErr = fmt.Errorf("ledger %s: %w", w.path, err)
		}
	}
	for _, end := range g.rows {
		if end > g.taken {
			w.lost.Add(1)
		}
	}
}

// write leaves whole lines in the file, though perhaps not all of them; where a part of one stays behind, the next
// write ends it.
func (w *Writer) write(g *group) error {
	text, ended := g.text, 0
	if w.torn {
		text, ended = slices.Concat([]byte{'\n'}, g.text), 1
	}
	n, err := w.file.Write(text)
	whole := n
	if err != nil {
		whole = bytes.LastIndexByte(text[:n], '\n') + 1
	}
	g.taken = max(whole-ended, 0)
	if n > whole && w.file.Truncate(w.size+int64(whole)) != nil {
		w.size += int64(n)
		w.torn = true
		return err
	}
	w.size += int64(whole)
	w.torn = w.torn && whole == 0
	return err
}
