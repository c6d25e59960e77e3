package call

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"

	"weighbridge.dev/xk6/clock"
	"weighbridge.dev/xk6/ledger"
	"weighbridge.dev/xk6/load"
	"weighbridge.dev/xk6/outcome"
	"weighbridge.dev/xk6/wire"
)

// maxTaskID is the longest identifier that is polled, in bytes.
const maxTaskID = 1024

// fetchAttempts is how often the content of a completed task is asked for.
const fetchAttempts = 3

// Poll submits a job or task once, polls the same identifier until it is final and fetches its content at once.
// The paid row is written at the end; each poll and fetch has a free row of its own.
func (c *Caller) Poll(ctx context.Context, req *Request, task Task) (*Result, error) {
	return c.attempts(ctx, req, func(req *Request) (*Result, error) {
		return c.account(ctx, req, func(t *ticket) { c.follow(ctx, t, task) })
	})
}

func (c *Caller) follow(parent context.Context, t *ticket, task Task) {
	ctx, cancel := context.WithCancelCause(parent)
	defer cancel(nil)
	defer cutAfter(c.Timeouts.Task, outcome.TimeoutTask, cancel)()
	defer cutAfter(t.req.StopAfter.Time, outcome.Aborted, cancel)()
	f := &follower{freeReads: freeReads{caller: c, ticket: t}, task: task, job: ledger.Job{Statuses: []string{}}}
	t.row.Job = &f.job
	f.run(ctx)
}

// cutAfter cancels with an outcome after d, 0 never, until the function that it returns is called.
func cutAfter(d time.Duration, o outcome.Outcome, cancel context.CancelCauseFunc) (stop func()) {
	if d <= 0 {
		return func() {}
	}
	timer := time.AfterFunc(d, func() { cancel(cutError{o}) })
	return func() { timer.Stop() }
}

// follower is the life of one task as the client sees it.
type follower struct {
	freeReads
	task     Task
	job      ledger.Job
	id       string
	accepted clock.Moment
	working  clock.Moment // first in_progress seen; 0 for not yet
}

func (f *follower) run(ctx context.Context) {
	wait, accepted := f.submit(ctx)
	if !accepted {
		return
	}
	if f.status() != "completed" && !f.follow(ctx, wait) {
		return
	}
	f.fetch(ctx)
}

// submit sends the paid request; accepted is false when the task is over already.
func (f *follower) submit(ctx context.Context) (wait time.Duration, accepted bool) {
	t := f.ticket
	x := f.caller.exchange(ctx, t.req, f.caller.Timeouts, readJSON(&Request{Kind: "submit", Expect: ExpectJSON}, f.caller.Timeouts, false))
	t.apply(x)
	f.accepted = x.end
	if x.outcome != outcome.Ok {
		return 0, false
	}
	task, ok := wire.ReadTask(x.body, f.task.IDField)
	if task.ID == "" {
		f.end(outcome.BadResponse, outcome.ErrorSchemaMismatch, "the submit answer holds no "+f.task.IDField)
		return 0, false
	}
	if len(task.ID) > maxTaskID {
		f.end(outcome.BadResponse, outcome.ErrorSchemaMismatch,
			fmt.Sprintf("the %s of the task is longer than %d bytes", f.task.IDField, maxTaskID))
		return 0, false
	}
	f.id = task.ID
	f.job.ID = t.id(task.ID)
	if !ok { // an id without a status is followed all the same
		return waitOf(x.header), true
	}
	f.see(task.Status, x.end)
	if task.Status == "failed" {
		f.failed(task)
		return 0, false
	}
	return waitOf(x.header), true
}

// follow polls until the task is completed; false when it is over in another way.
func (f *follower) follow(ctx context.Context, asked time.Duration) bool {
	wait := f.task.First
	for {
		if !sleep(ctx, max(wait, asked)) {
			f.cut(ctx)
			return false
		}
		wait = min(time.Duration(float64(wait)*f.task.Factor), f.task.Max)
		var over bool
		if asked, over = f.poll(ctx); over {
			return false
		}
		if f.status() == "completed" {
			return true
		}
	}
}

// poll reads the status once; over tells that the task was judged.
func (f *follower) poll(ctx context.Context) (asked time.Duration, over bool) {
	x := f.get(ctx, "poll", f.pathOf(f.task.StatusPath), ExpectJSON)
	f.job.Polls++
	asked = waitOfExchange(x)
	switch {
	case ctx.Err() != nil:
		f.cut(ctx)
		return 0, true
	case x.outcome == outcome.HttpError && x.status == 404:
		f.ticket.row.ErrorCode = f.ticket.name(x.code)
		f.end(outcome.TaskLost, outcome.ErrorTaskLost, "a poll of the accepted task answered 404: "+x.message)
		return 0, true
	case x.outcome != outcome.Ok:
		return asked, false // a poll that failed says nothing about the task
	}
	task, ok := wire.ReadTask(x.body, f.task.IDField)
	if !ok {
		return asked, false
	}
	if task.ID != f.id {
		f.end(outcome.TaskLost, outcome.ErrorTaskLost, fmt.Sprintf("a poll of task %s answered for task %s", f.id, task.ID))
		return 0, true
	}
	before := f.status()
	f.see(task.Status, x.end)
	switch {
	case isFinal(before) && task.Status != before:
		f.end(outcome.BadResponse, outcome.ErrorIllegalTransition,
			fmt.Sprintf("the task was %s and is now %s", before, task.Status))
		return 0, true
	case task.Status == "failed":
		f.failed(task)
		return 0, true
	}
	return asked, false
}

// isFinal: polling stops at these (interface §3), so nothing comes after them.
func isFinal(status string) bool { return status == "completed" || status == "failed" }

// fetch gets the content of a completed task; the task is ok only with its content whole. Content that is not there
// lets the status be read again before it is asked for again: the task may not be completed after all.
func (f *follower) fetch(ctx context.Context) {
	wait := f.task.First
	for attempt := 1; ; attempt++ {
		x := f.content(ctx)
		switch {
		case x.outcome == outcome.Ok:
			f.ticket.result.Content = optional(x.content)
			f.end(outcome.Ok, outcome.ErrorNone, "")
			return
		case ctx.Err() != nil:
			f.cut(ctx)
			return
		case attempt == fetchAttempts:
			f.end(outcome.BadResponse, outcome.ErrorDownloadFailed, undownloaded+x.cause())
			return
		}
		if !sleep(ctx, max(wait, waitOfExchange(x))) {
			f.cut(ctx)
			return
		}
		if _, over := f.poll(ctx); over {
			return
		}
		wait = min(time.Duration(float64(wait)*f.task.Factor), f.task.Max)
	}
}

func waitOfExchange(x *exchange) time.Duration {
	if !x.answered() {
		return 0
	}
	return waitOf(x.header)
}

// content asks for the content once.
func (f *follower) content(ctx context.Context) *exchange {
	path := f.pathOf(f.task.ResultPath)
	if f.task.ResultKind == "download" {
		return f.download(ctx, path, ExpectMP4)
	}
	x := f.get(ctx, "result", path, ExpectImage)
	if x.outcome != outcome.Ok || x.url == "" {
		return x
	}
	f.ticket.result.URL = optional(f.caller.Run.Key.Name(x.url))
	return f.picture(ctx, x.url)
}

// pathOf puts the identifier into a path.
func (f *follower) pathOf(path string) string {
	return strings.ReplaceAll(path, "{id}", url.PathEscape(f.id))
}

// freeCall makes a call that is never charged and writes its row.
func (c *Caller) freeCall(
	ctx context.Context, writer *ledger.Writer, counts *load.ScenarioCounts, req *Request,
) *exchange {
	t := c.newTicket(req, writer, counts)
	t.fillBlank()
	t.judge(outcome.Interrupted, outcome.ErrorNone)
	defer t.close()
	if c.Wait != nil && c.Wait(ctx) == nil {
		t.started = clock.Now()
	}
	x := c.exchange(ctx, req, c.Timeouts, c.readerOf(req, req.KeepText))
	t.apply(x)
	return x
}

// see notes a status, repeats folded.
func (f *follower) see(status string, at clock.Moment) {
	if text := f.ticket.name(status); text != nil {
		status = *text
	}
	if n := len(f.job.Statuses); n == 0 || f.job.Statuses[n-1] != status {
		f.job.Statuses = append(f.job.Statuses, status)
	}
	if status == "in_progress" && f.working == 0 {
		f.working = at
		f.job.QueueMS = milliseconds(f.accepted, f.working)
	}
	if (status == "completed" || status == "failed") && f.working != 0 && f.job.RunMS == nil {
		f.job.RunMS = milliseconds(f.working, at)
	}
	f.ticket.result.TaskStatus = &status
}

func (f *follower) status() string {
	if n := len(f.job.Statuses); n > 0 {
		return f.job.Statuses[n-1]
	}
	return ""
}

func (f *follower) failed(task wire.Task) {
	f.ticket.row.ErrorCode = f.ticket.name(task.ErrorCode)
	f.end(outcome.TaskFailed, outcome.ErrorTaskFailed, task.ErrorMessage)
}

// cut ends a task that a timer or the end of the run cut short.
func (f *follower) cut(ctx context.Context) {
	o, _ := cut(ctx)
	f.end(o, outcome.Default(o), messageOf(o))
}

// end judges the paid row, whose end is now.
func (f *follower) end(o outcome.Outcome, e outcome.ErrorType, message string) {
	f.ticket.judge(o, e)
	f.ticket.row.ErrorMessage = f.ticket.prose(message)
	f.ticket.row.EndMS = clock.Milliseconds(clock.Now().Since(f.ticket.started))
}

// sleep waits; false when the context ended first.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
