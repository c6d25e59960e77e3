//go:build unix && !(linux && (amd64 || arm64))

package stamp

import "syscall"

// receiver reads a descriptor that never blocks.
type receiver struct{}

func (receiver) ask(int) {}

func (receiver) plain(fd int, room []byte) (int, error) {
	for {
		n, err := syscall.Read(fd, room)
		if err != syscall.EINTR {
			return n, err
		}
	}
}

// stamped has no stamp of the kernel here.
func (r receiver) stamped(fd int, room []byte) (n int, arrivedNS int64, err error) {
	n, err = r.plain(fd, room)
	return n, 0, err
}
