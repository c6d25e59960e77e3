package wire

// channel is what a piece of generated content is.
type channel uint8

const (
	plainText channel = iota
	refusal
	reasoning
	// other is all that a client is sent and no reader sees: arguments of tool calls above all.
	other
)

// What stands in Result.Beside.
const (
	Refusal   = "refusal"
	Reasoning = "reasoning"
	Other     = "other"
)

func (c channel) visible() bool { return c <= refusal }

// channels is the set of those that an answer had.
type channels uint8

func (c *channels) add(of channel) { *c |= 1 << of }

// beside names all but plain text.
func (c channels) beside() []string {
	var names []string
	for i, name := range [...]string{Refusal, Reasoning, Other} {
		if c&(1<<(refusal+channel(i))) != 0 {
			names = append(names, name)
		}
	}
	return names
}
