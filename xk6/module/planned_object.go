package module

import (
	"slices"

	"github.com/grafana/sobek"

	"weighbridge.dev/xk6/plan"
	"weighbridge.dev/xk6/traffic"
)

// plannedObject is the PlannedCall of the d.ts file: a script pays for the members that it reads, and a request that
// names the whole object pays for none.
type plannedObject struct {
	rt       *sobek.Runtime
	scenario string
	n        int64
	call     traffic.Call
}

var plannedNames = []string{
	"scenario", "n", "call_id", "logical_id", "marker", "prompt", "prompt_bytes", "kind", "model", "stream", "max_tokens",
	"auth", "multipart", "image", "video", "abort", "watermark", "turn", "turns", "think_ms",
}

// Get is a member; nil where there is none of that name.
func (p *plannedObject) Get(name string) sobek.Value {
	c, rt := &p.call, p.rt
	switch name {
	case "scenario":
		return rt.ToValue(p.scenario)
	case "n":
		return rt.ToValue(p.n)
	case "call_id":
		return rt.ToValue(c.CallID)
	case "logical_id":
		return rt.ToValue(c.LogicalID)
	case "marker":
		return rt.ToValue(c.Marker)
	case "prompt":
		return rt.ToValue(c.Prompt)
	case "prompt_bytes":
		return rt.ToValue(len(c.Prompt))
	case "kind":
		return rt.ToValue(c.Kind)
	case "model":
		return rt.ToValue(c.Model)
	case "stream":
		return rt.ToValue(c.Stream)
	case "max_tokens":
		return orNull(rt, c.MaxTokens)
	case "auth":
		return rt.ToValue(c.Auth)
	case "multipart":
		return rt.ToValue(c.Multipart)
	case "image":
		return imageOf(rt, c.Image)
	case "video":
		return videoOf(rt, c.Video)
	case "abort":
		return abortOf(rt, c.Abort)
	case "watermark":
		return orNull(rt, c.Watermark)
	case "turn":
		return orNull(rt, c.Turn)
	case "turns":
		return rt.ToValue(c.Turns)
	case "think_ms":
		return orNull(rt, c.ThinkMS)
	}
	return nil
}

// Set refuses: what is planned stays.
func (p *plannedObject) Set(string, sobek.Value) bool { return false }

// Has tells whether there is a member of a name.
func (p *plannedObject) Has(name string) bool { return slices.Contains(plannedNames, name) }

// Delete refuses.
func (p *plannedObject) Delete(string) bool { return false }

// Keys are the names of all members.
func (p *plannedObject) Keys() []string { return plannedNames }

func imageOf(rt *sobek.Runtime, image *plan.Image) sobek.Value {
	if image == nil {
		return sobek.Null()
	}
	object := rt.NewObject()
	_ = object.Set("size", image.Size)
	_ = object.Set("quality", image.Quality)
	_ = object.Set("response_format", image.ResponseFormat)
	return object
}

func videoOf(rt *sobek.Runtime, video *plan.Video) sobek.Value {
	if video == nil {
		return sobek.Null()
	}
	object := rt.NewObject()
	_ = object.Set("seconds", video.Seconds)
	_ = object.Set("size", video.Size)
	return object
}

func abortOf(rt *sobek.Runtime, abort *plan.Abort) sobek.Value {
	if abort == nil {
		return sobek.Null()
	}
	object := rt.NewObject()
	_ = object.Set("after_ms", orNull(rt, abort.AfterMS))
	_ = object.Set("after_events", orNull(rt, abort.AfterEvents))
	return object
}
