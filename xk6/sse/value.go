package sse

// value is one field of the event being built: a view into the fed chunk while that lives, else a copy of our own.
// A copy is never overwritten in the Feed that handed it out.
type value struct {
	view  []byte
	store []byte
	start int  // where the present copy begins in store; what lies before was handed out in this Feed
	held  bool // view is store[start:]
}

// begin starts a Feed: what earlier Feeds handed out is free again.
func (v *value) begin() {
	if !v.held {
		v.store, v.start = v.store[:0], 0
		return
	}
	if v.start > 0 {
		v.store = v.store[:copy(v.store, v.store[v.start:])]
		v.start = 0
		v.see()
	}
}

func (v *value) set(b []byte) {
	v.reset()
	v.view = b
}

// join appends another data line (WHATWG: lines are joined with LF).
func (v *value) join(b []byte) {
	v.hold()
	v.store = append(append(v.store, '\n'), b...)
	v.held = true
	v.see()
}

// hold makes the value survive the chunk.
func (v *value) hold() {
	if v.held || len(v.view) == 0 {
		return
	}
	v.store = append(v.store, v.view...)
	v.held = true
	v.see()
}

func (v *value) see() { v.view = v.store[v.start:len(v.store):len(v.store)] }

func (v *value) reset() {
	v.view, v.held = nil, false
	v.start = len(v.store)
}
