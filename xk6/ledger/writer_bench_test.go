package ledger

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

// BenchmarkLines is one paid call, an intent and its row, from many callers at once: ns/op is for both lines.
func BenchmarkLines(b *testing.B) {
	intent, row := sampleLines()
	for _, sync := range []bool{false, true} {
		for _, callers := range []int{1, 64, 2000} {
			b.Run(fmt.Sprintf("sync=%t/callers=%d", sync, callers), func(b *testing.B) {
				w, err := Open(b.TempDir(), "i0", header, Options{SyncIntents: sync})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportAllocs()
				inParallel(b, callers, func() {
					if err := w.Intent(intent); err != nil {
						b.Error(err)
					}
					if err := w.Row(row); err != nil {
						b.Error(err)
					}
				})
				if err := w.Close(); err != nil {
					b.Fatal(err)
				}
			})
		}
	}
}

func inParallel(b *testing.B, callers int, once func()) {
	var group sync.WaitGroup
	for caller := range callers {
		n := b.N / callers
		if caller < b.N%callers {
			n++
		}
		group.Go(func() {
			for range n {
				once()
			}
		})
	}
	group.Wait()
}

// sampleLines are an intent and a row as a streamed call of 50 events leaves them.
func sampleLines() (Intent, Row) {
	text, number, count, one := strings.Repeat("0123456789abcdef", 4), 123.456, int64(512), 50
	yes, status, proto, usd := true, 200, "HTTP/1.1", "0.001234567890"
	intent := Intent{
		Schema: IntentSchema, RunID: "20260101-000000-abcdef", Instance: "i0", CallID: "i0/chat/123456/1",
		LogicalID: "chat/123456", Attempt: 1, Kind: "chat", Model: "model-a", KeyFP: &text, At: "2026-01-01T00:00:00.000Z",
		WorstCaseUSD: &usd, PromptBytes: count, MaxTokens: &count,
	}
	itl := make([][2]float64, 12)
	for i := range itl {
		itl[i] = [2]float64{20.5 + float64(i), 4}
	}
	row := Row{
		Schema: RowSchema, RunID: intent.RunID, Instance: "i0", CallID: intent.CallID, LogicalID: intent.LogicalID,
		Attempt: 1, Scenario: "chat", Phase: "measured", Iteration: &count, Kind: "chat", Method: "POST",
		Path: "/v1/chat/completions", Stream: true, Model: &intent.Model, KeyFP: &text, PlannedAt: &intent.At,
		StartedAt: intent.At, WroteMS: &number, HeadersMS: &number, FirstEventMS: &number, TTFTMS: &number,
		TTFOMS: &number, EndMS: 1234.567, ScheduleLagMS: &number, ITL: itl, MaxGapMS: &number, Events: &one, Chunks: &one,
		OutChars: &one, TextSHA256: &text, Status: &status, Outcome: "ok", ErrorType: "none", Blame: "none",
		RequestID: &text, RequestIDs: []string{text}, ResponseID: &text, ResponseModel: &intent.Model, Finish: &proto,
		TerminalSeen: &yes, Usage: &Usage{Input: &count, Output: &count,
			Raw: []byte(`{"prompt_tokens":512,"completion_tokens":50,"total_tokens":562}`)},
		MaxTokens: &count, PromptBytes: &count, WorstCaseUSD: &usd, BytesIn: &count, BytesOut: &count,
		ConnReused: &yes, Proto: &proto,
	}
	return intent, row
}
