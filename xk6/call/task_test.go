package call

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"weighbridge.dev/xk6/outcome"
)

// script answers each path with its next answer; the last one repeats.
type script struct {
	mu      sync.Mutex
	answers map[string][]answer
	seen    []string
}

type answer struct {
	status int
	body   string
}

func (s *script) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	path := r.Method + " " + r.URL.Path
	s.seen = append(s.seen, path)
	list := s.answers[path]
	if len(list) == 0 {
		s.mu.Unlock()
		http.Error(w, "no answer for "+path, http.StatusTeapot)
		return
	}
	next := list[0]
	if len(list) > 1 {
		s.answers[path] = list[1:]
	}
	s.mu.Unlock()
	if next.status == 0 {
		<-r.Context().Done()
		return
	}
	w.WriteHeader(next.status)
	flush(w, next.body)
}

func video(status string) answer {
	return answer{200, fmt.Sprintf(`{"id":"v 1/x","status":%q}`, status)}
}

func videoRequest() *Request {
	req := kindRequest("video", false)
	req.Path = "/v1/videos"
	return req
}

var videoTask = Task{
	IDField: "id", StatusPath: "/v1/videos/{id}", ResultPath: "/v1/videos/{id}/content", ResultKind: "download",
	First: time.Millisecond, Factor: 1.5, Max: 5 * time.Millisecond,
}

const (
	submit  = "POST /v1/videos"
	status  = "GET /v1/videos/v 1/x"
	content = "GET /v1/videos/v 1/x/content"
	mp4     = "\x00\x00\x00\x18ftypmp42rest"
)

func TestTasks(t *testing.T) {
	failed := answer{200, `{"id":"v 1/x","status":"failed","error":{"code":"moderation","message":"refused by the provider"}}`}
	cases := []struct {
		name    string
		answers map[string][]answer
		task    time.Duration
		outcome outcome.Outcome
		error   outcome.ErrorType
		states  string
		free    string
	}{
		{"life-cycle", map[string][]answer{
			submit: {video("queued")}, status: {video("queued"), video("in_progress"), video("in_progress"), video("completed")}, content: {{200, mp4}},
		}, 0, outcome.Ok, outcome.ErrorNone, "queued in_progress completed", "poll poll poll poll download"},
		{"completed at once", map[string][]answer{submit: {video("completed")}, content: {{200, mp4}}},
			0, outcome.Ok, outcome.ErrorNone, "completed", "download"},
		{"unknown status keeps polling", map[string][]answer{submit: {video("queued")}, status: {video("warming"), video("completed")}, content: {{200, mp4}}},
			0, outcome.Ok, outcome.ErrorNone, "queued warming completed", "poll poll download"},
		{"a failed poll says nothing", map[string][]answer{submit: {video("queued")}, status: {{503, ""}, {429, ""}, {200, "<html>"}, video("completed")}, content: {{200, mp4}}},
			0, outcome.Ok, outcome.ErrorNone, "queued completed", "poll poll poll poll download"},
		{"failed inside HTTP 200", map[string][]answer{submit: {video("queued")}, status: {video("in_progress"), failed}},
			0, outcome.TaskFailed, outcome.ErrorTaskFailed, "queued in_progress failed", "poll poll"},
		{"404 after acceptance", map[string][]answer{submit: {video("queued")}, status: {{404, `{"error":{"message":"m","type":"t","code":"gone"}}`}}},
			0, outcome.TaskLost, outcome.ErrorTaskLost, "queued", "poll"},
		{"another id", map[string][]answer{submit: {video("queued")}, status: {{200, `{"id":"v2","status":"completed"}`}}},
			0, outcome.TaskLost, outcome.ErrorTaskLost, "queued", "poll"},
		{"never final", map[string][]answer{submit: {video("queued")}, status: {video("queued")}},
			400 * time.Millisecond, outcome.TimeoutTask, outcome.ErrorTimeoutTask, "queued", ""},
		{"a poll that hangs", map[string][]answer{submit: {video("queued")}, status: {{0, ""}}},
			400 * time.Millisecond, outcome.TimeoutTask, outcome.ErrorTimeoutTask, "queued", "poll"},
		{"refused submit", map[string][]answer{submit: {{402, `{"error":{"message":"m","type":"t","code":"insufficient_user_quota"}}`}}},
			0, outcome.HttpError, outcome.ErrorInsufficientUserQuota, "", ""},
		{"no id", map[string][]answer{submit: {{200, `{"status":"queued"}`}}},
			0, outcome.BadResponse, outcome.ErrorSchemaMismatch, "", ""},
		{"HTML with 200 to the submit", map[string][]answer{submit: {{200, "<!doctype html><title>busy</title>"}}},
			0, outcome.BadResponse, outcome.ErrorSchemaMismatch, "", ""},
		{"content is no video", map[string][]answer{submit: {video("completed")}, status: {video("completed")}, content: {{200, "<html>"}}},
			0, outcome.BadResponse, outcome.ErrorDownloadFailed, "completed", "download poll download poll download"},
		{"content comes late", map[string][]answer{submit: {video("completed")}, status: {video("completed")}, content: {{409, ""}, {200, mp4}}},
			0, outcome.Ok, outcome.ErrorNone, "completed", "download poll download"},
		{"completed, then in progress", map[string][]answer{submit: {video("queued")}, status: {video("completed"), video("in_progress")}, content: {{409, ""}, {200, mp4}}},
			0, outcome.BadResponse, outcome.ErrorIllegalTransition, "queued completed in_progress", "poll download poll"},
		{"completed, then failed", map[string][]answer{submit: {video("completed")}, status: {failed}, content: {{409, ""}}},
			0, outcome.BadResponse, outcome.ErrorIllegalTransition, "completed failed", "download poll"},
		{"back to the queue is no final status left", map[string][]answer{submit: {video("queued")}, status: {video("in_progress"), video("queued"), video("completed")}, content: {{200, mp4}}},
			0, outcome.Ok, outcome.ErrorNone, "queued in_progress queued completed", "poll poll poll download"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := &script{answers: c.answers}
			b := newBench(t, "", s.ServeHTTP)
			if c.task > 0 {
				b.caller.Timeouts.Task = c.task
			}
			result, err := b.caller.Poll(context.Background(), videoRequest(), videoTask)
			if err != nil {
				t.Fatal(err)
			}
			row := result.Row
			wantOutcome(t, row, c.outcome, c.error)
			if states := strings.Join(row.Job.Statuses, " "); states != c.states {
				t.Errorf("statuses %q", states)
			}
			intents, rows, _ := b.lines(t)
			kinds, polls := []string{}, 0
			for _, r := range rows[:len(rows)-1] {
				kinds = append(kinds, r.Kind)
				if r.Kind == "poll" {
					polls++
				}
			}
			if c.free != "" && strings.Join(kinds, " ") != c.free {
				t.Errorf("free rows: %v", kinds)
			}
			if len(intents) != 1 || rows[len(rows)-1].Kind != "video" || row.Job.Polls != polls {
				t.Errorf("%d intents, last row %s, %d polls of %d", len(intents), rows[len(rows)-1].Kind, row.Job.Polls, polls)
			}
			s.mu.Lock()
			defer s.mu.Unlock()
			submits := 0
			for _, path := range s.seen {
				if path == submit {
					submits++
				}
			}
			if submits != 1 {
				t.Errorf("created %d times", submits)
			}
		})
	}
}

func TestTaskTimes(t *testing.T) {
	s := &script{answers: map[string][]answer{
		submit: {video("queued")}, status: {video("in_progress"), video("completed")}, content: {{200, mp4}},
	}}
	b := newBench(t, "", s.ServeHTTP)
	task := videoTask
	task.First, task.Factor, task.Max = 40*time.Millisecond, 1, 40*time.Millisecond
	result, err := b.caller.Poll(context.Background(), videoRequest(), task)
	if err != nil {
		t.Fatal(err)
	}
	row := result.Row
	if *row.Job.QueueMS < 40 || *row.Job.RunMS < 40 || row.EndMS < *row.Job.QueueMS+*row.Job.RunMS || *row.Job.ID != "v 1/x" {
		t.Errorf("queue %v, run %v, end %v, id %v", *row.Job.QueueMS, *row.Job.RunMS, row.EndMS, *row.Job.ID)
	}
	if *result.Content != "mp4" || *result.TaskStatus != "completed" {
		t.Errorf("content %v, status %v", *result.Content, *result.TaskStatus)
	}
}

func TestTheWaitBetweenPollsGrowsToItsLargest(t *testing.T) {
	var polls []time.Time
	b := newBench(t, "", func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodPost:
			flush(w, video("queued").body)
		case strings.HasSuffix(r.URL.Path, "/content"):
			flush(w, mp4)
		case len(polls) < 3:
			polls = append(polls, time.Now())
			flush(w, video("in_progress").body)
		default:
			polls = append(polls, time.Now())
			flush(w, video("completed").body)
		}
	})
	task := videoTask
	task.First, task.Factor, task.Max = 10*time.Millisecond, 4, 80*time.Millisecond
	if _, err := b.caller.Poll(context.Background(), videoRequest(), task); err != nil {
		t.Fatal(err)
	}
	if len(polls) != 4 {
		t.Fatalf("%d polls", len(polls))
	}
	for i, least := range []time.Duration{40, 80, 80} {
		if gap := polls[i+1].Sub(polls[i]); gap < least*time.Millisecond {
			t.Errorf("poll %d came after %s", i+2, gap)
		}
	}
}

func TestRetryAfterIsObeyed(t *testing.T) {
	var asked time.Time
	var waited time.Duration
	b := newBench(t, "", func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodPost:
			w.Header().Set("Retry-After", "0.2")
			asked = time.Now()
			flush(w, video("queued").body)
		case strings.HasSuffix(r.URL.Path, "/content"):
			flush(w, mp4)
		default:
			waited = time.Since(asked)
			flush(w, video("completed").body)
		}
	})
	if _, err := b.caller.Poll(context.Background(), videoRequest(), videoTask); err != nil {
		t.Fatal(err)
	}
	if waited < 200*time.Millisecond {
		t.Errorf("polled after %s", waited)
	}
}

func TestAnInterruptedTaskHasItsRow(t *testing.T) {
	ctx, interrupt := context.WithCancel(context.Background())
	b := newBench(t, "", func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			interrupt()
		}
		flush(w, video("queued").body)
	})
	result, err := b.caller.Poll(ctx, videoRequest(), videoTask)
	if err != nil {
		t.Fatal(err)
	}
	wantOutcome(t, result.Row, outcome.Interrupted, outcome.ErrorNone)
	if *result.Row.Job.ID != "v 1/x" {
		t.Error("the row must name the task that still runs")
	}
}

func TestAnImageJobsLinkIsFetchedAtOnce(t *testing.T) {
	s := &script{}
	b := newBench(t, "", s.ServeHTTP)
	s.answers = map[string][]answer{
		"POST /v1/images/generations/jobs": {{202, `{"job_id":"j","status":"queued"}`}},
		"GET /v1/images/jobs/j":            {{200, `{"job_id":"j","status":"completed"}`}},
		"GET /v1/images/jobs/j/result":     {{200, `{"data":[{"url":"` + b.server.URL + `/f?signature=credential"}]}`}},
		"GET /f":                           {{200, "\xff\xd8\xff\xe0"}},
	}
	req := kindRequest("image_job", false)
	req.Path = "/v1/images/generations/jobs"
	result, err := b.caller.Poll(context.Background(), req, Task{
		IDField: "job_id", StatusPath: "/v1/images/jobs/{id}", ResultPath: "/v1/images/jobs/{id}/result", ResultKind: "result",
		First: time.Millisecond, Factor: 2, Max: time.Millisecond,
	})
	if err != nil {
		t.Fatal(err)
	}
	wantOutcome(t, result.Row, outcome.Ok, outcome.ErrorNone)
	if *result.Content != "jpeg" || *result.Row.Status != 202 {
		t.Errorf("content %v, status %d", *result.Content, *result.Row.Status)
	}
	if _, rows, text := b.lines(t); strings.Contains(text, "credential") || rows[len(rows)-2].Path != b.server.URL+"/f" {
		t.Errorf("a signed link is a credential: %s", text)
	}
}
