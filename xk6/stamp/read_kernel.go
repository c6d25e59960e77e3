//go:build linux && (amd64 || arm64)

package stamp

import (
	"syscall"
	"unsafe"
)

// receiver reads a descriptor that never blocks, without a word to the scheduler: it would wake the runtime's monitor for
// the first read after each pause, which costs more than the read and puts off the next one.
type receiver struct {
	stamps  bool
	message syscall.Msghdr
	room    syscall.Iovec
	control struct {
		header syscall.Cmsghdr
		time   syscall.Timespec
	}
}

// ask has the kernel stamp what arrives. It begins with it a moment after the first connection asked.
func (r *receiver) ask(fd int) {
	r.stamps = syscall.SetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_TIMESTAMPNS, 1) == nil
	r.message.Iov, r.message.Iovlen = &r.room, 1
	r.message.Control = (*byte)(unsafe.Pointer(&r.control))
}

// plain reads without a stamp. room is not empty.
func (r *receiver) plain(fd int, room []byte) (int, error) {
	for {
		n, _, err := syscall.RawSyscall(syscall.SYS_READ, uintptr(fd), uintptr(unsafe.Pointer(&room[0])), uintptr(len(room)))
		if err != syscall.EINTR {
			return result(fd, n, err)
		}
	}
}

// stamped reads, and tells when the last of the bytes arrived by the wall clock; 0 where the kernel does not say.
func (r *receiver) stamped(fd int, room []byte) (n int, arrivedNS int64, err error) {
	if !r.stamps {
		n, err = r.plain(fd, room)
		return n, 0, err
	}
	for {
		r.room.Base, r.room.Len = &room[0], uint64(len(room))
		r.message.Controllen = uint64(unsafe.Sizeof(r.control))
		n, _, errno := syscall.RawSyscall(syscall.SYS_RECVMSG, uintptr(fd), uintptr(unsafe.Pointer(&r.message)), 0)
		r.room.Base = nil
		if errno == syscall.EINTR {
			continue
		}
		read, err := result(fd, n, errno)
		if r.message.Controllen < uint64(unsafe.Sizeof(r.control)) || r.control.header.Type != syscall.SO_TIMESTAMPNS {
			return read, 0, err
		}
		return read, r.control.time.Nano(), err
	}
}

func result(fd int, n uintptr, errno syscall.Errno) (int, error) {
	if errno != 0 {
		return 0, errno
	}
	told(fd)
	return int(n), nil
}
