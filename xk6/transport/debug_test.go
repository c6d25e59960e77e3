package transport

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

const key = "sk-debug-0123456789"

// dialogue sends one request through a Debug and gives what was logged and what the caller read.
func dialogue(t *testing.T, level Level, body string, answer http.HandlerFunc) (logged, read string) {
	t.Helper()
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	var log strings.Builder
	d := &Debug{Next: http.DefaultTransport, Level: level,
		Scrub: func(text string) string { return strings.ReplaceAll(text, key, "[key]") },
		Log:   func(_ int64, text string) { log.WriteString(text + "\n") }}
	req, err := http.NewRequest(http.MethodPost, server.URL+"/v1/x?signature=secret-signature", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.GetBody = nil // as the client's requests have none
	req.Header.Set("Authorization", "Bearer "+key)
	req.Header.Set("X-Api-Key", key)
	req.Header.Set("X-Echo", "before "+key+" after")
	req.Header.Set("Content-Type", "application/json")
	response, err := d.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	return log.String(), string(text)
}

func answerJSON(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.Header().Set("Set-Cookie", "session=secret-session")
		w.Header().Set("Location", "https://files.example/a?signature=secret-signature")
		_, _ = io.WriteString(w, text)
	}
}

func TestHeadersShowTheExchangeWithoutSecretsAndBodies(t *testing.T) {
	logged, read := dialogue(t, Headers, `{"model":"m"}`, answerJSON(`{"id":"c1"}`))
	for _, want := range []string{"POST /v1/x?[hidden]", "Authorization: [hidden]", "X-Api-Key: [hidden]",
		"X-Echo: before [key] after", "Content-Length: 13", "HTTP/1.1 200 OK", "Location: https://files.example/a?[hidden]"} {
		if !strings.Contains(logged, want) {
			t.Errorf("want %q in:\n%s", want, logged)
		}
	}
	for _, never := range []string{key, "secret", `"model"`, `"c1"`} {
		if strings.Contains(logged, never) {
			t.Errorf("%q in:\n%s", never, logged)
		}
	}
	if read != `{"id":"c1"}` {
		t.Errorf("read %q", read)
	}
}

func TestFullShowsJSONWithoutItsTexts(t *testing.T) {
	request := `{"model":"m","messages":[{"role":"user","content":"the prompt"},{"role":"user","content":` +
		`[{"type":"text","text":"more prompt"}]}],"input":["a prompt"],"user":"` + key + `"}`
	answer := `{"id":"c1","choices":[{"message":{"content":"the answer é"}}],"usage":{"prompt_tokens":12345678901234567890},` +
		`"data":[{"url":"https://f.example/1.png?signature=secret-signature"}],"error":{"message":"why <&>"}}`
	logged, read := dialogue(t, Full, request, answerJSON(answer))
	for _, want := range []string{
		`{"model":"m","messages":[{"role":"user","content":"[10 characters]"},{"role":"user","content":[{"type":"text","text":"[11 characters]"}]}],"input":["[8 characters]"],"user":"[key]"}`,
		`{"id":"c1","choices":[{"message":{"content":"[12 characters]"}}],"usage":{"prompt_tokens":12345678901234567890},"data":[{"url":"https://f.example/1.png?[hidden]"}],"error":{"message":"why <&>"}}`,
	} {
		if !strings.Contains(logged, want) {
			t.Errorf("want %s in:\n%s", want, logged)
		}
	}
	for _, never := range []string{key, "secret", "the prompt", "the answer"} {
		if strings.Contains(logged, never) {
			t.Errorf("%q in:\n%s", never, logged)
		}
	}
	if read != answer {
		t.Errorf("read %q", read)
	}
}

func TestFullNeverShowsAStreamOrAFile(t *testing.T) {
	for contentType, body := range map[string]string{
		"text/event-stream": "data: {\"delta\":\"secret\"}\n\n", "video/mp4": "secret video", "application/json": "{secret",
	} {
		logged, read := dialogue(t, Full, "secret, no JSON", func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			w.Header().Set("Content-Type", contentType)
			_, _ = io.WriteString(w, body)
		})
		if strings.Contains(logged, "secret") || read != body {
			t.Errorf("%s: read %q, logged:\n%s", contentType, read, logged)
		}
		shown := fmt.Sprintf("[%d bytes of %s]", len(body), contentType)
		if contentType != "text/event-stream" && !strings.Contains(logged, shown) {
			t.Errorf("want %s in:\n%s", shown, logged)
		}
	}
}

func TestABodyBeyondTheLimitIsOnlyCounted(t *testing.T) {
	long := `{"note":"` + strings.Repeat("n", shownBody) + `"}`
	logged, read := dialogue(t, Full, long, answerJSON(long))
	if read != long || strings.Count(logged, fmt.Sprintf("[more than %d bytes of application/json]", shownBody)) != 2 {
		t.Errorf("read %d bytes, logged:\n%.500s", len(read), logged)
	}
}

func TestAFailedExchangeIsLogged(t *testing.T) {
	var logged []string
	d := &Debug{Next: http.DefaultTransport, Level: Headers, Scrub: func(text string) string { return text },
		Log: func(_ int64, text string) { logged = append(logged, text) }}
	req, _ := http.NewRequest(http.MethodGet, "http://127.0.0.1:1/", nil)
	if _, err := d.RoundTrip(req); err == nil || len(logged) != 2 || !strings.HasPrefix(logged[1], "No answer:\n") {
		t.Errorf("%v: %q", err, logged)
	}
}

func TestLevelOf(t *testing.T) {
	for _, c := range []struct {
		planned, flag string
		want          Level
	}{
		{"off", "", Off}, {"", "", Off}, {"headers", "", Headers}, {"off", "headers", Headers}, {"headers", "full", Full},
		{"full", "headers", Full}, {"off", "off", Off},
	} {
		if found := LevelOf(c.planned, c.flag); found != c.want {
			t.Errorf("%q with %q: %s", c.planned, c.flag, found)
		}
	}
}

func TestABodyThatIsShownIsSentWhole(t *testing.T) {
	for _, size := range []int{10, shownBody, shownBody + 1, 3 * shownBody} {
		body, sent := `"`+strings.Repeat("x", size-2)+`"`, ""
		logged, _ := dialogue(t, Full, body, func(_ http.ResponseWriter, r *http.Request) {
			text, _ := io.ReadAll(r.Body)
			sent = string(text)
		})
		if sent != body {
			t.Errorf("%d bytes of %d came", len(sent), size)
		}
		if cut := strings.Contains(logged, "[more than 65536 bytes of application/json]"); cut != (size > shownBody) {
			t.Errorf("%d bytes: %s", size, logged[:min(len(logged), 500)])
		}
	}
}
