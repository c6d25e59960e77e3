package arrivals

import (
	"os"
	"syscall"
	"time"
	"unsafe"
)

// systemTimer is a timerfd under the runtime's poller. Its system calls never block, so they are made raw: an ordinary
// one wakes the runtime's monitor thread, which in an idle process costs more than the start itself.
type systemTimer struct {
	file *os.File
	fd   uintptr
	rung chan struct{}
	spec itimerspec
}

// itimerspec of timerfd_settime(2).
type itimerspec struct{ interval, value syscall.Timespec }

// clockMonotonic of clock_gettime(2).
const clockMonotonic = 1

// newSystemTimer is nil where the system gives none.
func newSystemTimer() *systemTimer {
	fd, _, errno := syscall.RawSyscall(syscall.SYS_TIMERFD_CREATE, clockMonotonic, syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
	if errno != 0 {
		return nil
	}
	t := &systemTimer{file: os.NewFile(fd, "timer"), fd: fd, rung: make(chan struct{}, 1)}
	poll, err := t.file.SyscallConn()
	if err != nil {
		t.close()
		return nil
	}
	go t.ring(poll)
	return t
}

// ring passes each expiry on until the timer is closed.
func (t *systemTimer) ring(poll syscall.RawConn) {
	for poll.Read(expired) == nil {
		select {
		case t.rung <- struct{}{}:
		default:
		}
	}
}

// expired takes the number of expiries; false while there is none.
func expired(fd uintptr) bool {
	var count uint64
	_, _, errno := syscall.RawSyscall(syscall.SYS_READ, fd, uintptr(unsafe.Pointer(&count)), unsafe.Sizeof(count))
	return errno != syscall.EAGAIN
}

// set rings once after a time above 0; false where the system refuses.
func (t *systemTimer) set(after time.Duration) bool {
	t.spec.value = syscall.NsecToTimespec(int64(after))
	_, _, errno := syscall.RawSyscall6(syscall.SYS_TIMERFD_SETTIME, t.fd, 0, uintptr(unsafe.Pointer(&t.spec)), 0, 0, 0)
	return errno == 0
}

func (t *systemTimer) close() { _ = t.file.Close() }
