package main

import (
	"encoding/json"
	"io"
	"sync"
	"syscall"
	"time"
)

// stream is what the mock did for one streamed request; times count from the mock's start.
type stream struct {
	id      int64
	arrived time.Duration
	// sent holds when the flush of each content event returned.
	sent []time.Duration
	// cut is set when the client left before the end.
	cut bool
}

// book is the truth of all requests since the last reset.
type book struct {
	began time.Time

	mu       sync.Mutex
	next     int64
	streams  []*stream
	arrivals []time.Duration
	plain    int64
	open     int
	mostOpen int
	cpu      time.Duration
}

func newBook() *book { return &book{began: time.Now(), cpu: ownCPU()} }

func (b *book) now() time.Duration { return time.Since(b.began) }

func (b *book) enter(chunks int) *stream {
	s := &stream{arrived: b.now(), sent: make([]time.Duration, 0, chunks)}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.next++
	s.id = b.next
	b.streams = append(b.streams, s)
	b.open++
	b.mostOpen = max(b.mostOpen, b.open)
	return s
}

func (b *book) leave() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.open--
}

// arrive notes a plain request and gives its number.
func (b *book) arrive(keep bool) int64 {
	now := b.now()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.next++
	b.plain++
	if keep {
		b.arrivals = append(b.arrivals, now)
	}
	return b.next
}

func (b *book) reset() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.streams, b.arrivals, b.plain, b.mostOpen, b.cpu = nil, nil, 0, b.open, ownCPU()
}

type streamReport struct {
	ID       int64   `json:"id"`
	Arrived  int64   `json:"arrived_us"`
	Events   int     `json:"events"`
	Cut      bool    `json:"cut"`
	MaxGapUS int64   `json:"max_gap_us"`
	SentUS   []int64 `json:"sent_us,omitempty"` // since arrival
}

type bookReport struct {
	CPUSeconds float64        `json:"cpu_s"`
	MostOpen   int            `json:"most_open"`
	Plain      int64          `json:"plain"`
	ArrivalsUS []int64        `json:"arrivals_us"`
	Streams    []streamReport `json:"streams"`
}

// report writes the truth; times of single events only with detail.
func (b *book) report(out io.Writer, detail bool) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	r := bookReport{
		CPUSeconds: (ownCPU() - b.cpu).Seconds(), MostOpen: b.mostOpen, Plain: b.plain,
		ArrivalsUS: []int64{}, Streams: []streamReport{},
	}
	for _, at := range b.arrivals {
		r.ArrivalsUS = append(r.ArrivalsUS, at.Microseconds())
	}
	for _, s := range b.streams {
		one := streamReport{ID: s.id, Arrived: s.arrived.Microseconds(), Events: len(s.sent), Cut: s.cut}
		for i, at := range s.sent {
			if i > 0 {
				one.MaxGapUS = max(one.MaxGapUS, (at - s.sent[i-1]).Microseconds())
			}
			if detail {
				one.SentUS = append(one.SentUS, (at - s.arrived).Microseconds())
			}
		}
		r.Streams = append(r.Streams, one)
	}
	return json.NewEncoder(out).Encode(r)
}

func ownCPU() time.Duration {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
