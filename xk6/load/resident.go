package load

import (
	"bytes"
	"os"
	"strconv"
)

// residentBytes is the memory of this process that stands in RAM, where the system tells (Linux), else nil.
func residentBytes() *int64 {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return nil
	}
	fields := bytes.Fields(text)
	if len(fields) < 2 {
		return nil
	}
	pages, err := strconv.ParseInt(string(fields[1]), 10, 64)
	if err != nil {
		return nil
	}
	size := pages * int64(os.Getpagesize())
	return &size
}
