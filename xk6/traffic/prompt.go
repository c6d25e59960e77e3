package traffic

import "sync"

// mostDrawnBytes is MOST_DRAWN_BYTES of src/core/prompt-text.ts: longer texts repeat themselves.
const mostDrawnBytes = 16_384

// promptText is promptText of src/core/prompt-text.ts: ASCII text of exactly so many bytes, appended to a buffer.
func promptText(into []byte, length int64, key string) []byte {
	if length <= 0 {
		return into
	}
	from := int64(len(into))
	into = sentences(into, min(length, mostDrawnBytes), key)
	if int64(len(into))-from < length {
		into = append(into, "\n\n"...)
		for once := into[from:]; int64(len(into))-from < length; {
			into = append(into, once...)
		}
	}
	into = into[:from+length]
	into[from+length-1] = '.'
	return into
}

// longestSentence is more bytes than any has.
const longestSentence = 512

var drafts = sync.Pool{New: func() any { return new([longestSentence]byte) }}

// sentences appends whole sentences until they are as long as said. Their words must be drawn in the order in which
// prompt-text.ts draws them.
func sentences(into []byte, least int64, key string) []byte {
	from := int64(len(into))
	held := drafts.Get().(*[longestSentence]byte)
	defer drafts.Put(held)
	w := writer{text: into, held: held[:0], draw: newDraw(newRandom(key).word())}
	w.sentence()
	for int64(len(w.text))-from < least {
		if w.draw.below(6) == 0 {
			w.add("\n\n")
		} else {
			w.add(" ")
		}
		w.sentence()
	}
	return w.text
}

// draw is a 32-bit xorshift.
type draw struct{ state uint32 }

func newDraw(seed uint32) draw {
	if seed == 0 {
		seed = 0x9e3779b9
	}
	return draw{seed}
}

// below is an integer in [0, bound).
func (d *draw) below(bound int) int {
	d.state ^= d.state << 13
	d.state ^= d.state >> 17
	d.state ^= d.state << 5
	return int(uint64(d.state) * uint64(bound) >> 32)
}

type writer struct {
	text []byte
	// held is the sentence in the making: its clauses are drawn before what stands in front of and between them.
	held []byte
	draw draw
}

func (w *writer) add(text string) { w.text = append(w.text, text...) }

func (w *writer) pick(list []string) string { return list[w.draw.below(len(list))] }

func (w *writer) sentence() {
	before := w.text
	w.text = w.held[:0]
	w.clause()
	first, joined := len(w.text), w.draw.below(2) == 0
	if joined {
		w.add(w.pick(connectives))
		w.add(" ")
		w.clause()
	}
	w.text, w.held = before, w.text
	between := " "
	if w.draw.below(3) == 0 {
		between = ", "
	}
	initial := w.held[0]
	switch w.draw.below(6) {
	case 0:
		w.add(w.pick(openers))
		w.add(", ")
	case 1:
		w.add("In ")
		w.add(w.pick(times))
		w.add(" ")
	default:
		initial = upper(initial)
	}
	w.text = append(append(w.text, initial), w.held[1:first]...)
	if joined {
		w.add(between)
		w.text = append(w.text, w.held[first:]...)
	}
	w.add(".")
}

func upper(letter byte) byte {
	if letter >= 'a' && letter <= 'z' {
		return letter - ('a' - 'A')
	}
	return letter
}

func (w *writer) clause() {
	from := len(w.text)
	w.actor()
	switch w.draw.below(4) {
	case 0:
		w.word(w.pick(intransitives))
		w.add(" ")
		w.place()
	case 1:
		w.word(w.pick(adverbs))
		w.word(w.pick(verbs))
		w.add(" ")
		w.thing()
	case 2:
		w.word(w.pick(verbs))
		w.add(" ")
		w.thing()
		w.add(" ")
		w.place()
	default: // the actor was drawn for nothing
		w.text = w.text[:from]
		w.oneThing()
		w.add(" was")
		w.word(w.pick(adjectives))
	}
}

// word adds a space and a word.
func (w *writer) word(word string) {
	w.add(" ")
	w.add(word)
}

var pronouns = []string{"he", "she", "they", "we", "I", "it", "nobody", "everyone"}

func (w *writer) actor() {
	switch w.draw.below(5) {
	case 0:
		w.add(w.pick(pronouns))
	case 1:
		w.several()
	case 2:
		w.thing()
	default:
		w.add("the")
		if w.draw.below(2) == 0 {
			w.word(w.pick(adjectives))
		}
		w.word(w.pick(people))
	}
}

func (w *writer) several() {
	w.add(w.pick(pluralDeterminers))
	w.word(w.pick(plurals))
}

func (w *writer) thing() {
	if w.draw.below(4) == 0 {
		w.several()
		return
	}
	w.oneThing()
}

// oneThing draws its noun before its determiner.
func (w *writer) oneThing() {
	adjective := ""
	if w.draw.below(3) == 0 {
		adjective = w.pick(adjectives)
	}
	noun := w.pick(nouns)
	first := noun
	if adjective != "" {
		first = adjective
	}
	determiner := w.pick(determiners)
	if determiner == "a" && vowel(first[0]) {
		determiner = "an"
	}
	w.add(determiner)
	if adjective != "" {
		w.word(adjective)
	}
	w.word(noun)
	if w.draw.below(6) == 0 {
		w.add(" of the")
		w.word(w.pick(nouns))
	}
}

func vowel(letter byte) bool {
	return letter == 'a' || letter == 'e' || letter == 'i' || letter == 'o' || letter == 'u'
}

func (w *writer) place() {
	w.add(w.pick(prepositions))
	w.add(" the")
	w.word(w.pick(places))
}
