package wire

import "testing"

func TestTaskStatusOfOthers(t *testing.T) {
	for told, want := range map[string]string{
		"pending": "queued", "running": "in_progress", "succeeded": "completed", "expired": "failed", "rendering": "rendering",
	} {
		task, ok := ReadTask([]byte(`{"id":"t1","status":"`+told+`"}`), "id")
		if !ok || task.Status != want {
			t.Errorf("status %q is read as %q, want %q", told, task.Status, want)
		}
	}
}
