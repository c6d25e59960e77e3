//go:build !unix

package stamp

// held reads one part at a time where descriptors cannot be read apart from the runtime.
type held struct{ conn *Conn }

func (h *held) prepare(c *Conn) { h.conn = c }

func (h *held) read(p []byte) (int, error) { return h.conn.readOnce(p) }
