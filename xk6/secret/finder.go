package secret

// finder tells whether any of some texts stands in another. It looks at one pair of bytes and moves on by as much as no
// text can end in (Wu and Manber), so that a clean line costs a fraction of searching each text in it.
type finder struct {
	texts  []string
	window int // every text is at least so long
	shifts [1 << 12]uint8
}

// leastWindow is what pairs need.
const leastWindow = 2

// newFinder of texts of at least leastWindow bytes.
func newFinder(texts []string) *finder {
	f := &finder{texts: texts, window: 255}
	for _, text := range texts {
		f.window = min(f.window, len(text))
	}
	for at := range f.shifts {
		f.shifts[at] = uint8(f.window - 1)
	}
	for _, text := range texts {
		for end := leastWindow; end <= f.window; end++ {
			at := pairOf(text[end-2], text[end-1])
			f.shifts[at] = min(f.shifts[at], uint8(f.window-end))
		}
	}
	return f
}

// pairOf may be the same for different pairs: the text itself is compared.
func pairOf(first, second byte) int { return (int(first)<<6 ^ int(second)) & (1<<12 - 1) }

func isIn[T string | []byte](f *finder, where T) bool {
	for end := f.window; end <= len(where); {
		shift := f.shifts[pairOf(where[end-2], where[end-1])]
		if shift > 0 {
			end += int(shift)
			continue
		}
		from := end - f.window
		for _, text := range f.texts {
			if len(where)-from >= len(text) && string(where[from:from+len(text)]) == text {
				return true
			}
		}
		end++
	}
	return false
}
