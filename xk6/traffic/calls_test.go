package traffic

import (
	"strings"
	"sync"
	"testing"

	"weighbridge.dev/xk6/plan"
)

func callsWith(t *testing.T, text plan.Text) *Calls {
	t.Helper()
	shape := plan.Scenario{Name: "chat", Kind: "chat", Model: "m", Text: &text}
	p := &plan.Plan{Seed: 7, Nonce: "n", Workload: plan.Workload{Scenarios: []plan.Scenario{shape}}}
	calls, err := New(p, "i0", nil)
	if err != nil {
		t.Fatal(err)
	}
	return calls
}

func TestCallsThatThePlanDoesNotHaveAreRefused(t *testing.T) {
	calls := callsWith(t, plan.Text{
		PromptBytes: plan.SizeTable{100}, MaxTokens: plan.SizeTable{5},
		Session: &plan.Session{Turns: plan.SizeTable{2}, ThinkMS: plan.SizeTable{0}},
	})
	for want, ask := range map[string]func() (Call, error){
		"the plan has no scenario other":                       func() (Call, error) { return calls.Call("other", 0, 1) },
		"expected a number from 0 on, found -1":                func() (Call, error) { return calls.Call("chat", -1, 1) },
		"call 3 of chat: expected a turn from 1 to 2, found 3": func() (Call, error) { return calls.Call("chat", 3, 3) },
		"expected a turn from 1 to 2, found 0":                 func() (Call, error) { return calls.Call("chat", 3, 0) },
	} {
		if _, err := ask(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, found %v", want, err)
		}
	}
}

func TestManyUsersPlanAtOnce(t *testing.T) {
	calls := callsWith(t, plan.Text{
		StreamShare: 0.5, PromptBytes: plan.SizeTable{100, 900, 17_000}, MaxTokens: plan.SizeTable{1, 2}, CachedShare: 0.5,
	})
	const users, each = 8, 50
	var found [users][each]Call
	var done sync.WaitGroup
	for user := range users {
		done.Add(1)
		go func() {
			defer done.Done()
			for n := range int64(each) {
				found[user][n], _ = calls.Call("chat", n, 1)
			}
		}()
	}
	done.Wait()
	for user := range users {
		for n := range each {
			if found[user][n].Prompt != found[0][n].Prompt || found[user][n].Prompt == "" {
				t.Fatalf("user %d planned call %d otherwise", user, n)
			}
		}
	}
}

func TestAMarkerHasOneLength(t *testing.T) {
	for _, id := range []string{"", "i0/chat/0/1", "größe 🙂"} {
		if marker := Marker("nonce", id); len(marker) != MarkerBytes || !strings.HasPrefix(marker, "wb") {
			t.Errorf("%q", marker)
		}
	}
}
