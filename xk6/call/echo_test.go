package call

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"weighbridge.dev/xk6/ledger"
)

// echoes are the forms of the key in the corpus that both languages share.
func echoes(t *testing.T) map[string]string {
	t.Helper()
	file, err := os.ReadFile("../../test/corpus/secrets/masked.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Name    string   `json:"name"`
		Secrets []string `json:"secrets"`
		Text    string   `json:"text"`
	}
	if err := json.Unmarshal(file, &cases); err != nil {
		t.Fatal(err)
	}
	forms := map[string]string{}
	for _, c := range cases {
		if form, is := strings.CutPrefix(c.Text, "a "); is && strings.HasSuffix(c.Name, ": "+key) {
			forms[c.Name] = strings.TrimSuffix(form, " b")
		}
	}
	if len(forms) < 100 {
		t.Fatalf("%d forms", len(forms))
	}
	return forms
}

// echoing is a target that writes a text wherever it writes one.
func echoing(text string) http.HandlerFunc {
	quoted, _ := json.Marshal(text)
	failure := fmt.Sprintf(`{"message":%s,"type":%s,"code":%s}`, quoted, quoted, quoted)
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Request-Id", text)
		switch {
		case r.URL.Path == "/v1/videos":
			flush(w, fmt.Sprintf(`{"id":%s,"status":"queued"}`, quoted))
		case strings.HasPrefix(r.URL.Path, "/v1/videos/"):
			flush(w, fmt.Sprintf(`{"id":%s,"status":"failed","error":%s}`, quoted, failure))
		case r.URL.Path == "/error":
			w.WriteHeader(http.StatusBadRequest)
			flush(w, `{"error":`+failure+`}`)
		case r.URL.Path == "/page":
			w.WriteHeader(http.StatusBadGateway)
			flush(w, "<html><title>"+text+"</title><p>"+text)
		default:
			sseHead(w)
			half := len(text) / 2
			flush(w, delta(text[:half])+delta(text[half:]))
			flush(w, fmt.Sprintf(`data: {"id":%s,"model":%s,"service_tier":%s,"choices":[{"index":0,"delta":{},"finish_reason":%s}],`+
				`"usage":{"prompt_tokens":5,"completion_tokens":2,%s:{"x":%s}}}`+"\n\n", quoted, quoted, quoted, quoted, quoted, quoted))
			flush(w, chatDone)
		}
	}
}

// texts are all names and texts of a JSON document.
func texts(t *testing.T, document []byte) []string {
	t.Helper()
	var found []string
	decoder := json.NewDecoder(bytes.NewReader(document))
	for {
		token, err := decoder.Token()
		if err != nil {
			return found
		}
		if text, is := token.(string); is {
			found = append(found, text)
		}
	}
}

func TestATargetThatRepeatsTheKeyLeavesNoneOfItInTheLedger(t *testing.T) {
	for name, form := range echoes(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, keepingPlan, echoing(form))
			stream := chatRequest(true)
			stream.KeepText = true
			said := b.call(t, stream).Text
			for _, path := range []string{"/error", "/page"} {
				req := chatRequest(false)
				req.Path = path
				b.call(t, req)
			}
			task, err := b.caller.Poll(context.Background(), videoRequest(), videoTask)
			if err != nil {
				t.Fatal(err)
			}
			_, rows, text := b.lines(t)
			kept, err := os.ReadFile(filepath.Join(b.dir, "i0-0.texts"))
			if err != nil || len(rows) != 5 || *rows[0].RequestID == form || *task.Row.ErrorCode == form {
				t.Fatalf("%d rows, %v", len(rows), err)
			}
			for _, found := range append(texts(t, append([]byte(text), kept...)), said) {
				if strings.Contains(found, form) || strings.Contains(found, "0123456789abcdef") {
					t.Errorf("%q", found)
				}
			}
		})
	}
}

// On plain servers the key is often any word.
func TestAKeyThatIsAWordBreaksNoLine(t *testing.T) {
	for _, word := range []string{"none", "ok", "chat", "EMPTY", "sk-1234", "1", "0"} {
		t.Run(word, func(t *testing.T) {
			b := newBenchOf(t, word, "", echoing(word))
			b.call(t, chatRequest(true))
			failed := chatRequest(false)
			failed.Path = "/error"
			b.call(t, failed)
			_, rows, _ := b.lines(t)
			if err := b.caller.Run.CloseLedger(); err != nil {
				t.Fatal(err)
			}
			if rows[0].Kind != "chat" || rows[0].Outcome != "ok" || rows[0].ErrorType != "none" || *rows[0].Usage.Output != 2 {
				t.Errorf("row %+v", rows[0])
			}
			if message := *rows[1].ErrorMessage; message != "[key]" {
				t.Errorf("message %s", message)
			}
			_, _, text := b.lines(t)
			lines := strings.Split(strings.TrimSpace(text), "\n")
			var last ledger.State
			decoder := json.NewDecoder(strings.NewReader(lines[len(lines)-1]))
			decoder.DisallowUnknownFields()
			if err := decoder.Decode(&last); err != nil || last.Scenarios[0].Finished != 2 || last.Scenarios[0].OK != 1 {
				t.Errorf("state %+v, %v", last, err)
			}
		})
	}
}
