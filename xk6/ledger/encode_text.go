package ledger

func (e *encoder) textLine(l *Text) {
	e.raw(`{"schema":`)
	e.string(l.Schema)
	e.raw(`,"call_id":`)
	e.string(l.CallID)
	e.raw(`,"beside":`)
	e.strings(l.Beside)
	e.raw(`,"text":`)
	e.string(l.Text)
	e.raw("}\n")
}
