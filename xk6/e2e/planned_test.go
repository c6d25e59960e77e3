package e2e

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"weighbridge.dev/xk6/ledger"
	"weighbridge.dev/xk6/traffic"
)

// withText changes the shape of a scenario's text.
func withText(s planScenario, changes map[string]any) planScenario {
	text := s.Text.(map[string]any)
	for name, value := range changes {
		text[name] = value
	}
	return s
}

// said lists role and text of each message of a conversation, whatever its format.
func said(body map[string]any) (roles, texts []string) {
	list, is := body["messages"].([]any)
	if !is {
		if list, is = body["input"].([]any); !is {
			return []string{"user"}, []string{fmt.Sprint(body["input"])}
		}
	}
	for _, entry := range list {
		message := entry.(map[string]any)
		roles = append(roles, fmt.Sprint(message["role"]))
		texts = append(texts, fmt.Sprint(message["content"]))
	}
	return roles, texts
}

func TestASessionCarriesWhatWasSaid(t *testing.T) {
	g := newGateway(t)
	session := map[string]any{"session": map[string]any{"turns": 3, "think_ms": 1}, "cached_share": 0.3}
	scenarios := []planScenario{}
	for _, kind := range []string{"chat", "responses", "messages"} {
		scenarios = append(scenarios, withText(textScenario(kind, kind, 4_000, 1000), session))
	}
	command, dir, output := start(t, g, setup{drainMS: 20000, scenarios: scenarios})
	if err := command.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	b := read(t, dir)
	if len(b.paid) != 36 || len(g.bodies) != 36 {
		t.Fatalf("want 36 rows and requests, found %d and %d\n%s", len(b.paid), len(g.bodies), output)
	}
	bodies := map[string]map[string]any{}
	for _, body := range g.bodies {
		_, texts := said(body)
		bodies[markerPattern.FindString(texts[len(texts)-1])] = body
	}
	for id, row := range b.paid {
		if row.Turn == nil || row.Outcome != "ok" {
			t.Fatalf("%s: turn %v, %s", id, row.Turn, row.Outcome)
		}
		if want := fmt.Sprintf("%s/%d.%d", row.Scenario, *row.Iteration, *row.Turn); row.LogicalID != want || id != "i0/"+want+"/1" {
			t.Errorf("%s: logical id %s", id, row.LogicalID)
		}
		if (*row.Turn == 1) != (row.PlannedAt != nil) {
			t.Errorf("%s: turn %d was planned at %v", id, *row.Turn, row.PlannedAt)
		}
		body, known := bodies[traffic.Marker("n1", id)]
		if !known {
			t.Errorf("%s: no request ends with its marker", id)
			continue
		}
		roles, texts := said(body)
		if want := strings.Repeat("user assistant ", *row.Turn-1) + "user"; strings.Join(roles, " ") != want {
			t.Errorf("%s: want %s, found %v", id, want, roles)
		}
		bytes := 0
		for i, text := range texts {
			bytes += len(text)
			if roles[i] == "assistant" && text == "" {
				t.Errorf("%s: the answer of turn %d is missing", id, (i+1)/2)
			}
		}
		if row.PromptBytes == nil || *row.PromptBytes != int64(bytes) || b.intents[id].PromptBytes != int64(bytes) {
			t.Errorf("%s: %v bytes of prompt, sent %d", id, row.PromptBytes, bytes)
		}
	}
}

func TestASessionEndsWithTheTurnThatFails(t *testing.T) {
	g := newGateway(t)
	good := g.Config.Handler
	g.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		if strings.Contains(string(text), `"assistant"`) {
			http.Error(w, `{"error":{"message":"no","type":"new_api_error","code":"upstream_error"}}`, http.StatusBadGateway)
			return
		}
		r.Body = io.NopCloser(strings.NewReader(string(text)))
		good.ServeHTTP(w, r)
	})
	session := map[string]any{"session": map[string]any{"turns": 4, "think_ms": 0}}
	command, dir, output := start(t, g, setup{drainMS: 20000, scenarios: []planScenario{
		withText(textScenario("chat", "chat", 5_000, 1000), session),
	}})
	if err := command.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	outcomes := map[string]int{}
	for _, row := range read(t, dir).paid {
		outcomes[fmt.Sprint(*row.Turn, row.Outcome)]++
	}
	if len(outcomes) != 2 || outcomes["1ok"] != 5 || outcomes["2http_error"] != 5 {
		t.Errorf("%v\n%s", outcomes, output)
	}
}

func TestAPoolMakesTheCallsOfThePlan(t *testing.T) {
	calls := map[int][]string{}
	for _, perVU := range []int{1, 10} {
		g := newGateway(t)
		command, dir, output := start(t, g, setup{
			drainMS: 20000, workload: map[string]any{"calls_per_vu": perVU},
			scenarios: []planScenario{
				textScenario("chat", "chat", 20_000, 1000), imageScenario("editjob", "image_edit_job", "url", 1000),
				withText(textScenario("talk", "messages", 4_000, 1000),
					map[string]any{"session": map[string]any{"turns": []int{1, 2, 3}, "think_ms": 5}}),
			},
		})
		if err := command.Wait(); err != nil {
			t.Fatalf("%v\n%s", err, output)
		}
		b := read(t, dir)
		for id, row := range b.paid {
			calls[perVU] = append(calls[perVU], fmt.Sprint(id, row.Stream, *row.PromptBytes, row.MaxTokens != nil, *row.Iteration))
			if first := row.Attempt == 1 && (row.Turn == nil || *row.Turn == 1); first != (row.PlannedAt != nil) {
				t.Errorf("%d calls a user: %s was planned at %v", perVU, id, row.PlannedAt)
			}
			if row.Attempt == 1 && !slices.Contains(g.received(), firstMarker(row)) {
				t.Errorf("%d calls a user: no request of %s came", perVU, id)
			}
		}
		for _, name := range []string{"chat", "editjob", "talk"} {
			if s := b.scenario(t, name); s.Started != s.Planned || s.Planned == 0 || s.InFlight != 0 {
				t.Errorf("%d calls a user: %+v", perVU, s)
			}
		}
		slices.Sort(calls[perVU])
	}
	if len(calls[1]) < 30 || !slices.Equal(calls[1], calls[10]) {
		t.Errorf("one call a user:\n%v\nten:\n%v", calls[1], calls[10])
	}
}

// firstMarker is that by which a request of a row begins: in a session the first turn's.
func firstMarker(row ledger.Row) string {
	if row.Turn == nil {
		return traffic.Marker("n1", row.CallID)
	}
	return traffic.Marker("n1", fmt.Sprintf("i0/%s/%d.1/1", row.Scenario, *row.Iteration))
}

func TestTheFallbackOfAJobHasAMarkerOfItsOwn(t *testing.T) {
	g := newGateway(t)
	command, dir, output := start(t, g, setup{drainMS: 20000, scenarios: []planScenario{imageScenario("edit", "image_edit_job", "url", 1000)}})
	if err := command.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	b, markers := read(t, dir), g.received()
	if len(b.paid) != 4 {
		t.Fatalf("%d rows\n%s", len(b.paid), output)
	}
	for id := range b.paid {
		if !slices.Contains(markers, traffic.Marker("n1", id)) {
			t.Errorf("%s: no request had its marker", id)
		}
	}
}

func TestCallsAreCutAsPlanned(t *testing.T) {
	g := newGateway(t)
	cut := textScenario("chat", "chat", 10_000, 2000)
	cut.Abort = map[string]any{"share": 0.5, "after_ms": nil, "after_events": 1}
	command, dir, output := start(t, g, setup{
		drainMS: 20000, script: "stream.ts", scenarios: []planScenario{cut, imageScenario("img", "image", "url", 2000)},
	})
	if err := command.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	outcomes := map[string]int{}
	for id, row := range read(t, dir).paid {
		outcomes[row.Outcome]++
		if !row.Stream {
			t.Errorf("%s does not stream", id)
		}
	}
	if outcomes["aborted"] < 5 || outcomes["aborted"]+outcomes["ok"] != 20 {
		t.Errorf("%v\n%s", outcomes, output)
	}
}

func TestWatermarksReachRowsAndIntents(t *testing.T) {
	g := newGateway(t)
	command, dir, output := start(t, g, setup{drainMS: 20000, script: "soak.ts", scenarios: []planScenario{
		withText(textScenario("chat", "chat", 10_000, 1000), map[string]any{
			"watermark": map[string]any{"modulus": 64, "of": 1, "first": 0}, "prompt_bytes": 400,
		}),
	}})
	if err := command.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	b, seen := read(t, dir), map[int64]bool{}
	for id, row := range b.paid {
		if row.Watermark == nil || b.intents[id].Watermark == nil || *b.intents[id].Watermark != *row.Watermark {
			t.Fatalf("%s: %v", id, row.Watermark)
		}
		seen[*row.Watermark] = true
	}
	if len(seen) != 10 {
		t.Errorf("%d of 10 calls differ", len(seen))
	}
}

func TestK6PlansTheCallsThatTypeScriptSpecifies(t *testing.T) {
	g := newGateway(t)
	rich := withText(textScenario("rich", "messages", 1_000, 1000), map[string]any{
		"prompt_bytes": []int{60, 700, 90, 300}, "max_tokens": []int{1, 2, 3}, "cached_share": 0.4,
		"session":   map[string]any{"turns": []int{1, 2, 4}, "think_ms": []int{5, 9}},
		"watermark": map[string]any{"modulus": 32, "of": 2, "first": 1},
	})
	rich.Abort = map[string]any{"share": 0.3, "after_ms": 40, "after_events": 2}
	command, _, output := start(t, g, setup{script: "selftest.ts", scenarios: []planScenario{
		textScenario("chat", "chat", 1_000, 1000), rich, imageScenario("edit", "image_edit", "url", 1000),
		{Name: "vid", Kind: "video", Model: "v", Arrival: constant(1000, 1000), MaxInFlight: 5, Video: map[string]any{"seconds": 4, "size": "1280x720"}},
	}})
	if err := command.Wait(); err != nil || !strings.Contains(output.String(), "ok: planned calls are those of TypeScript") ||
		strings.Contains(output.String(), "FAILED") {
		t.Errorf("%v\n%s", err, output)
	}
}

func TestWhatTheUserAddsStandsInEachBody(t *testing.T) {
	g := newGateway(t)
	chat := textScenario("chat", "chat", 8_000, 1000)
	chat.Body = `{"stream_options":{"continuous_usage_stats":true},"temperature":0.25}`
	image := imageScenario("image", "image", "b64_json", 1000)
	image.Body = `{"background":"transparent"}`
	command, dir, output := start(t, g, setup{drainMS: 20000, scenarios: []planScenario{chat, image}})
	if err := command.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	b := read(t, dir)
	if len(b.paid) != 10 || len(g.bodies) != 10 {
		t.Fatalf("want 10 rows and requests, found %d and %d\n%s", len(b.paid), len(g.bodies), output)
	}
	for _, body := range g.bodies {
		if body["model"] == "img" {
			if body["background"] != "transparent" {
				t.Errorf("an image call without what was added: %v", body)
			}
			continue
		}
		options, _ := body["stream_options"].(map[string]any)
		streams := body["stream"] == true
		if body["temperature"] != 0.25 || streams != (options["include_usage"] == true && options["continuous_usage_stats"] == true) {
			t.Errorf("a chat call without what was added: %v", body)
		}
	}
	for id, row := range b.paid {
		if row.Kind == "chat" && *row.PromptBytes != 200+int64(len(chat.Body)) {
			t.Errorf("%s: %d bytes of prompt", id, *row.PromptBytes)
		}
	}
}

// stream.ts streams all that can stream: embeddings cannot.
func TestCompletionsAndEmbeddingsAreMadeAndJudged(t *testing.T) {
	for script, streamed := range map[string]int{"mixed.ts": 2, "soak.ts": 2, "stream.ts": 4} {
		g := newGateway(t)
		embedding := withText(textScenario("embedding", "embedding", 2_000, 1000), map[string]any{"stream_share": 0, "max_tokens": 0})
		command, dir, output := start(t, g, setup{drainMS: 20000, script: script, scenarios: []planScenario{
			textScenario("completion", "completion", 4_000, 1000), embedding,
		}})
		if err := command.Wait(); err != nil {
			t.Fatalf("%s: %v\n%s", script, err, output)
		}
		b := read(t, dir)
		streams := 0
		for id, row := range b.paid {
			if row.Outcome != "ok" || row.Usage == nil || *row.Usage.Input != 9 {
				t.Errorf("%s: %s: %s, usage %v", script, id, row.Outcome, row.Usage)
				continue
			}
			if row.Stream {
				streams++
			}
			if row.Kind == "embedding" {
				if row.Path != "/v1/embeddings" || row.MaxTokens != nil || row.Usage.Output != nil || row.Stream || row.OutChars != nil && *row.OutChars != 0 {
					t.Errorf("%s: %s: %+v", script, id, row)
				}
			} else if row.Path != "/v1/completions" || *row.Usage.Output != 2 || *row.OutChars != 9 || row.Stream != (row.TTFTMS != nil) {
				t.Errorf("%s: %s: %+v", script, id, row)
			}
		}
		if len(b.paid) != 6 || len(g.problems) > 0 || streams != streamed {
			t.Errorf("%s: %d rows, %d streamed, %v\n%s", script, len(b.paid), streams, g.problems, output)
		}
	}
}
