package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"net/http"
	"os"
	"sync"
	"time"
)

// seen is what the floor saw of one stream.
type seen struct {
	TTFTUS int64   `json:"ttft_us"`
	GapsUS []int64 `json:"gaps_us"`
	Events int     `json:"events"`
	Error  string  `json:"error,omitempty"`
}

// floorStreams runs `workers` streams at once, each worker `each` one after the other, and writes a line a stream.
func floorStreams(args []string) error {
	flags := flag.NewFlagSet("floor-streams", flag.ContinueOnError)
	url := flags.String("url", "", "target")
	workers := flags.Int("workers", 1, "streams at once")
	each := flags.Int("each", 1, "streams of a worker")
	chunks := flags.Int("chunks", 50, "content events expected")
	rate := flags.Float64("rate", 0, "starts per second in place of workers that wait for one another")
	out := flags.String("out", "", "NDJSON file")
	if err := flags.Parse(args); err != nil {
		return err
	}
	client, text := transport(*workers), body(true)
	all := make([]seen, *workers**each)
	var group sync.WaitGroup
	if *rate > 0 {
		paced(&group, all, *rate, func(one *seen, buffer []byte) {
			one.GapsUS = make([]int64, 0, *chunks)
			if err := one.read(client, *url, text, buffer); err != nil {
				one.Error = err.Error()
			}
		})
		group.Wait()
		return writeLines(*out, all)
	}
	for worker := range *workers {
		group.Go(func() {
			buffer := make([]byte, 16<<10)
			for n := range *each {
				one := &all[worker**each+n]
				one.GapsUS = make([]int64, 0, *chunks)
				if err := one.read(client, *url, text, buffer); err != nil {
					one.Error = err.Error()
				}
			}
		})
	}
	group.Wait()
	return writeLines(*out, all)
}

// paced starts a stream at each multiple of 1/rate.
func paced(group *sync.WaitGroup, all []seen, rate float64, read func(*seen, []byte)) {
	buffers := sync.Pool{New: func() any { buffer := make([]byte, 16<<10); return &buffer }}
	start := time.Now()
	for n := range all {
		time.Sleep(time.Until(start.Add(time.Duration(float64(n) / rate * float64(time.Second)))))
		group.Go(func() {
			buffer := buffers.Get().(*[]byte)
			defer buffers.Put(buffer)
			read(&all[n], *buffer)
		})
	}
}

func (s *seen) read(client *http.Transport, url string, text, buffer []byte) error {
	start := time.Now()
	response, err := post(client, url, text)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	var matches counter
	var last time.Time
	for {
		n, err := response.Body.Read(buffer)
		now := time.Now()
		for range matches.count(buffer[:n]) {
			if s.Events == 0 {
				s.TTFTUS = now.Sub(start).Microseconds()
			} else {
				s.GapsUS = append(s.GapsUS, now.Sub(last).Microseconds())
			}
			s.Events++
			last = now
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func writeLines(path string, all []seen) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	buffered := bufio.NewWriter(file)
	encoder := json.NewEncoder(buffered)
	for i := range all {
		if err := encoder.Encode(&all[i]); err != nil {
			return errors.Join(err, file.Close())
		}
	}
	return errors.Join(buffered.Flush(), file.Close())
}
