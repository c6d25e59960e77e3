package main

import (
	"flag"
	"fmt"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// floorPlain keeps so many requests under way for a while and prints how many were answered.
func floorPlain(args []string) error {
	flags := flag.NewFlagSet("floor-plain", flag.ContinueOnError)
	url := flags.String("url", "", "target")
	workers := flags.Int("workers", 64, "requests at once")
	lasting := flags.Duration("for", 5*time.Second, "how long")
	if err := flags.Parse(args); err != nil {
		return err
	}
	client, text := transport(*workers), body(false)
	end := time.Now().Add(*lasting)
	var answered, failed atomic.Int64
	var group sync.WaitGroup
	for range *workers {
		group.Go(func() {
			for time.Now().Before(end) {
				if exchange(client, *url, text) == nil {
					answered.Add(1)
				} else {
					failed.Add(1)
				}
			}
		})
	}
	group.Wait()
	fmt.Printf(`{"answered":%d,"failed":%d}`+"\n", answered.Load(), failed.Load())
	return nil
}

// floorRate starts a request at each multiple of 1/rate, in a goroutine of its own.
func floorRate(args []string) error {
	flags := flag.NewFlagSet("floor-rate", flag.ContinueOnError)
	url := flags.String("url", "", "target")
	rate := flags.Int("rate", 500, "requests per second")
	lasting := flags.Duration("for", 20*time.Second, "how long")
	if err := flags.Parse(args); err != nil {
		return err
	}
	client, text := transport(*rate), body(false)
	start, gap := time.Now(), time.Second/time.Duration(*rate)
	var failed atomic.Int64
	var group sync.WaitGroup
	planned := int(*lasting / gap)
	for n := range planned {
		time.Sleep(time.Until(start.Add(time.Duration(n) * gap)))
		group.Go(func() {
			if exchange(client, *url, text) != nil {
				failed.Add(1)
			}
		})
	}
	group.Wait()
	fmt.Printf(`{"answered":%d,"failed":%d}`+"\n", int64(planned)-failed.Load(), failed.Load())
	return nil
}

func exchange(client *http.Transport, url string, text []byte) error {
	response, err := post(client, url, text)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, response.Body)
	_ = response.Body.Close()
	return err
}
