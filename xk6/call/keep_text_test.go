package call

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"weighbridge.dev/xk6/ledger"
	"weighbridge.dev/xk6/wire"
)

// keptTexts are the lines of the file that rows name.
func (b *bench) keptTexts(t *testing.T) []ledger.Text {
	t.Helper()
	file, err := os.ReadFile(filepath.Join(b.dir, "i0-0.texts"))
	if err != nil {
		t.Fatal(err)
	}
	var kept []ledger.Text
	for line := range strings.Lines(string(file)) {
		var text ledger.Text
		if err := json.Unmarshal([]byte(line), &text); err != nil {
			t.Fatal(err)
		}
		kept = append(kept, text)
	}
	return kept
}

const keepingPlan = `{"schema":"weighbridge.plan/1","run_id":"r","keep_text":true}`

func TestARunThatKeepsTextHasThatOfEachWholeAnswerBesideItsLedger(t *testing.T) {
	for _, stream := range []bool{true, false} {
		answer := func(w http.ResponseWriter, content string) {
			if stream {
				sseHead(w)
				flush(w, delta(content)+chatFinish+chatDone)
			} else {
				flush(w, strings.Replace(plainChat, `"hi"`, fmt.Sprintf("%q", content), 1))
			}
		}
		calls := 0
		b := newBench(t, keepingPlan, func(w http.ResponseWriter, _ *http.Request) {
			switch calls++; calls {
			case 1:
				answer(w, "wörds")
			case 2:
				answer(w, "")
			case 3:
				answer(w, key)
			case 4: // neither has an end
				if stream {
					sseHead(w)
					flush(w, delta("cut"))
				} else {
					flush(w, `{"choices":[{"index":0,"message":{"content":"cut"}}]}`)
				}
			default:
				http.Error(w, `{"error":{"message":"no"}}`, http.StatusTooManyRequests)
			}
		})
		for range 5 {
			if got := b.call(t, chatRequest(stream)).Text; got != "" {
				t.Errorf("text %q was not asked for by its script", got)
			}
		}
		_, rows, text := b.lines(t)
		var refs []string
		for _, row := range rows {
			ref := "none"
			if row.TextRef != nil {
				ref = *row.TextRef
			}
			refs = append(refs, ref)
		}
		if want := []string{"i0-0.texts", "none", "i0-0.texts", "none", "none"}; !slices.Equal(refs, want) {
			t.Errorf("stream %v: text_ref %q, want %q", stream, refs, want)
		}
		kept := b.keptTexts(t)
		if len(kept) != 2 || kept[0].Schema != ledger.TextSchema || kept[0].CallID != rows[0].CallID ||
			kept[0].Text != "wörds" || len(kept[0].Beside) != 0 || kept[0].Beside == nil {
			t.Errorf("stream %v: kept %+v", stream, kept)
		}
		if strings.Contains(text, "wörds") || strings.Contains(kept[1].Text, key) {
			t.Error("a text stands in the ledger, or the key in a text")
		}
	}
}

func TestWhatStoodBesideAKeptTextIsSaid(t *testing.T) {
	b := newBench(t, keepingPlan, func(w http.ResponseWriter, _ *http.Request) {
		sseHead(w)
		thought := strings.Replace(delta("hm"), `"content"`, `"reasoning_content"`, 1)
		flush(w, thought+delta("words")+chatFinish+chatDone)
	})
	b.call(t, chatRequest(true))
	if kept := b.keptTexts(t); len(kept) != 1 || !slices.Equal(kept[0].Beside, []string{wire.Reasoning}) || kept[0].Text != "words" {
		t.Errorf("kept %+v", kept)
	}
}
