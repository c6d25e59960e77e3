package sse

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// reference reads a whole stream at once, slowly and plainly, as the standard words it.
func reference(input string) (events []string, comments int, pending bool) {
	input = strings.TrimPrefix(input, "\xEF\xBB\xBF")
	lines := regexp.MustCompile(`\r\n|\r|\n`).Split(input, -1)
	last := lines[len(lines)-1]
	var typ string
	var data []string
	open := false
	for _, line := range lines[:len(lines)-1] {
		if line == "" {
			if data != nil {
				events = append(events, fmt.Sprintf("%q %q", typ, strings.Join(data, "\n")))
			}
			typ, data, open = "", nil, false
			continue
		}
		name, val, _ := strings.Cut(line, ":")
		if name == "" {
			comments++
			continue
		}
		open = true
		val = strings.TrimPrefix(val, " ")
		switch name {
		case "data":
			data = append(data, val)
		case "event":
			typ = val
		}
	}
	return events, comments, open || (last != "" && last[0] != ':')
}

func FuzzParser(f *testing.F) {
	files, err := filepath.Glob("../../test/corpus/sse/*.txt")
	if err != nil || len(files) < 25 {
		f.Fatalf("corpus: %d files, %v", len(files), err)
	}
	for i, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw, uint16(i*7), uint16(i*31))
	}
	for _, s := range []string{
		"\r", "\n", "\r\n\r\n", "data\r\rdata\n\n", "data:\ndata:\n\n", "\xEF\xBB\xBFdata: x\n\n", "\xEF\xBBdata: x\n\n", "\xEFdata:x\r\n\r\n",
		"data: x\r\n\ndata: y\r\n\r", "event\ndata: x\n\n", "event: a\nevent:\ndata: x\n\n", ":\n:\n", "data: a\r\r\n\n\ndata: b\n\n", ":c\rdata: x\r\r",
	} {
		f.Add([]byte(s), uint16(1), uint16(3))
	}
	f.Fuzz(func(t *testing.T, raw []byte, cutA, cutB uint16) {
		wantEvents, wantComments, wantPending := reference(string(raw))
		a, b := int(cutA)%(len(raw)+1), int(cutB)%(len(raw)+1)
		if a > b {
			a, b = b, a
		}
		var single [][]byte
		for i := range raw {
			single = append(single, raw[i:i+1])
		}
		for name, chunks := range map[string][][]byte{
			"whole": {raw}, "two cuts": {raw[:a], raw[a:b], raw[b:]}, "bytes": single,
		} {
			p := NewParser(0)
			var got []string
			for _, chunk := range chunks {
				own := slices.Clone(chunk)
				if err := p.Feed(own, func(ev Event) {
					got = append(got, fmt.Sprintf("%q %q", ev.Type, ev.Data))
				}); err != nil {
					t.Fatal(err)
				}
				clear(own)
			}
			if !slices.Equal(got, wantEvents) {
				t.Errorf("%s of %q:\ngot  %q\nwant %q", name, raw, got, wantEvents)
			}
			if p.Comments() != wantComments || p.Pending() != wantPending {
				t.Errorf("%s of %q: comments %d, want %d; pending %v, want %v", name, raw, p.Comments(), wantComments, p.Pending(), wantPending)
			}
		}
	})
}
