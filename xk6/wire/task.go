package wire

// Task is an image job or a video task (interface §2, §3).
type Task struct{ ID, Status, ErrorCode, ErrorMessage string }

// ReadTask reads a task whose identifier stands in idField (job_id or id). False when the identifier or the status is
// missing; what was found is given all the same.
func ReadTask(body []byte, idField string) (Task, bool) {
	var t Task
	s := scan{b: body}
	if !s.object() {
		return t, false
	}
	for s.key() {
		switch name := string(s.name); name {
		case idField:
			t.ID = s.str().String()
		case "status":
			t.Status = taskStatus(s.str().String())
		case "error":
			e := readErrorObject(s.raw())
			t.ErrorCode, t.ErrorMessage = e.code, cut(e.message)
		default:
			s.skip()
		}
	}
	if !s.done() {
		return Task{}, false
	}
	return t, t.ID != "" && t.Status != ""
}

// taskWords holds words of other gateways for the four that the interface gives as examples (interface §3).
// src/wire/task-status.ts has them too.
var taskWords = map[string]string{
	"pending": "queued", "submitted": "queued",
	"processing": "in_progress", "running": "in_progress",
	"succeeded": "completed", "success": "completed",
	"cancelled": "failed", "canceled": "failed", "expired": "failed", "error": "failed",
}

// taskStatus gives the interface's word for a status where it has one.
func taskStatus(told string) string {
	if status, ok := taskWords[told]; ok {
		return status
	}
	return told
}
