//go:build unix && !linux

package stamp

import "syscall"

// readFD reads a descriptor that never blocks.
func readFD(fd int, room []byte) (int, error) {
	for {
		n, err := syscall.Read(fd, room)
		if err != syscall.EINTR {
			return n, err
		}
	}
}
