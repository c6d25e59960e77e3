package stamp

import (
	"syscall"
	"unsafe"
)

// readFD reads a descriptor that never blocks, without a word to the scheduler: it would wake the runtime's monitor for
// the first read after each pause, which costs more than the read and puts off the next one. room is not empty.
func readFD(fd int, room []byte) (int, error) {
	for {
		n, _, err := syscall.RawSyscall(syscall.SYS_READ, uintptr(fd), uintptr(unsafe.Pointer(&room[0])), uintptr(len(room)))
		switch err {
		case 0:
			return int(n), nil
		case syscall.EINTR:
		default:
			return 0, err
		}
	}
}
