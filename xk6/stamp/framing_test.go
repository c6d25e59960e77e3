package stamp

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
)

func TestFramingCountsTheBytesOfTheBody(t *testing.T) {
	for _, test := range []struct {
		name, answer string
		offset       uint64
		state        state
	}{
		{"a body of two chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nA: b\r\n\r\n5\r\nhello\r\nA\r\n0123456789\r\n0\r\n\r\n", 15, ended},
		{"line feeds alone in the head", "HTTP/1.1 200 OK\ntransfer-encoding:  Chunked \nA: b\n\n1\r\nx\r\n0\r\n\r\n", 1, ended},
		{"an interim answer before", "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n", 2, inSize},
		{"an extension and a trailer", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;a=b\r\nabc\r\n0\r\nT: v\r\nU: w\r\n\r\n", 3, ended},
		{"chunks within a chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n3\r\nabc\r\n\r\n", 8, inSize},
		{"half a chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nabc", 3, inData},
		{"a trailer that has not ended", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nT: v\r\n", 0, inTrailer},
		{"a body of no chunks", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{\"a\": 1}", 0, lost},
		{"a body that looks like chunks", "HTTP/1.1 200 OK\r\nX-Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 0, lost},
		{"an interim answer with chunks", "HTTP/1.1  103 Early\r\nTransfer-Encoding: chunked\r\n\r\nHTTP/1.1 200 OK\r\n\r\n0\r\n", 0, lost},
		{"a size of sixteen digits", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0000000000000002\r\nab\r\n", 2, inSize},
		{"a size that is too large", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n01234567890abcdef\r\n", 0, lost},
		{"half a head", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nA: b\r\n", 0, inHead},
		{"a head that a CR does not end", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\rA: b\r\n", 0, inHead},
	} {
		for cut := range len(test.answer) {
			var f framing
			f.follow([]byte(test.answer[:cut]))
			f.follow([]byte(test.answer[cut:]))
			if f.offset != test.offset || f.state != test.state {
				t.Errorf("%s, cut at %d: expected %d bytes and state %d, found %d and %d",
					test.name, cut, test.offset, test.state, f.offset, f.state)
			}
		}
	}
}

// The standard library reads the same bytes: what it makes of them is the truth.
func FuzzFraming(f *testing.F) {
	f.Add("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;x\r\nhello\r\n0\r\nT: v\r\n\r\n", int64(1))
	f.Add("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n1\r\nx\r\n0\r\n\r\n", int64(2))
	f.Fuzz(func(t *testing.T, answer string, seed int64) {
		size, whole := bodyOf(answer)
		if !whole {
			return
		}
		var follow framing
		random := rand.New(rand.NewPCG(uint64(seed), 1))
		for rest := []byte(answer); len(rest) > 0; {
			n := 1 + random.IntN(len(rest))
			follow.follow(rest[:n])
			rest = rest[n:]
		}
		if follow.state == lost {
			t.Fatalf("net/http reads %q and the framing is lost", answer)
		}
		if follow.offset != size || follow.state != ended {
			t.Fatalf("%q: expected %d bytes and the end, found %d and state %d", answer, size, follow.offset, follow.state)
		}
	})
}

// bodyOf is the size of the body of chunks that net/http reads; false where it reads none to its end.
func bodyOf(answer string) (uint64, bool) {
	reader := bufio.NewReader(strings.NewReader(answer))
	for range 5 {
		response, err := http.ReadResponse(reader, &http.Request{Method: http.MethodPost})
		if err != nil {
			return 0, false
		}
		if response.StatusCode < 200 && response.StatusCode >= 100 {
			continue
		}
		// A status that is no number of three digits from 100 on passes ReadResponse and no transport.
		if response.StatusCode < 200 || len(response.TransferEncoding) != 1 {
			return 0, false
		}
		n, err := io.Copy(io.Discard, response.Body)
		return uint64(n), err == nil
	}
	return 0, false
}

func TestFramingFollowsAnyCutOfAnyChunks(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	for range 300 {
		var answer bytes.Buffer
		answer.WriteString("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
		var size uint64
		for range random.IntN(20) {
			data := bytes.Repeat([]byte("\r\n0"), 1+random.IntN(40))
			size += uint64(len(data))
			_, _ = fmt.Fprintf(&answer, "%x\r\n%s\r\n", len(data), data)
		}
		answer.WriteString("0\r\n\r\n")
		var f framing
		for rest := answer.Bytes(); len(rest) > 0; {
			n := min(1+random.IntN(60), len(rest))
			f.follow(rest[:n])
			rest = rest[n:]
		}
		if f.offset != size || f.state != ended {
			t.Fatalf("expected %d bytes and the end, found %d and state %d", size, f.offset, f.state)
		}
	}
}
