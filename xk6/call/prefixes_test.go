package call

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

func TestARowTellsHowThePromptBeginsAndNotWhatItSays(t *testing.T) {
	b := newBench(t, "", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"choices":[{"message":{"content":"yes"},"finish_reason":"stop"}]}`)
	})
	said := strings.Repeat("The old mill stands. ", 40)
	ask := func(question string) *Request {
		req := chatRequest(false)
		req.Body = fmt.Appendf(nil, `{"model":"m","messages":[{"role":"system","content":%q},{"role":"user","content":%q}]}`, said, question)
		return req
	}
	b.call(t, ask("one?"))
	b.call(t, ask("two?"))
	open := ask("three?")
	open.Auth = NoAuth
	b.call(t, open)
	embedding := ask("four?")
	embedding.Kind = "embedding"
	b.call(t, embedding)
	_, rows, text := b.lines(t)
	if strings.Contains(text, "old mill") {
		t.Error("the prompt stands in the ledger")
	}
	if len(rows) != 4 || len(rows[0].Prefixes) != 2 || len(rows[1].Prefixes) != 2 {
		t.Fatalf("%d rows, the first with %v", len(rows), rows[0].Prefixes)
	}
	if rows[0].Prefixes[0] != rows[1].Prefixes[0] || rows[0].Prefixes[1].Digest == rows[1].Prefixes[1].Digest {
		t.Errorf("%v and %v", rows[0].Prefixes, rows[1].Prefixes)
	}
	if rows[2].Prefixes != nil || rows[3].Prefixes != nil {
		t.Errorf("without a key %v, of an embedding %v", rows[2].Prefixes, rows[3].Prefixes)
	}
}
