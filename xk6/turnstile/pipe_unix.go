//go:build unix

package turnstile

import (
	"os"
	"syscall"
)

// pipe makes itself readable and waits until the runtime's poller says so: by then the poller has named every other
// descriptor that is ready as well.
type pipe struct {
	read, write *os.File
	conn        syscall.RawConn
	asked       bool
	mark        [1]byte
}

func newPoller() poller {
	read, write, err := os.Pipe()
	if err != nil {
		return yielder{}
	}
	conn, err := read.SyscallConn()
	if err != nil {
		_ = read.Close()
		_ = write.Close()
		return yielder{}
	}
	return &pipe{read: read, write: write, conn: conn}
}

func (p *pipe) wait() {
	p.asked = false
	_ = p.conn.Read(p.step)
}

// step writes the mark at first and takes it once the poller has seen it.
func (p *pipe) step(fd uintptr) bool {
	if !p.asked {
		p.asked = true
		_, err := p.write.Write(p.mark[:])
		return err != nil
	}
	n, err := syscall.Read(int(fd), p.mark[:])
	return n == 1 || err != syscall.EAGAIN
}
