//go:build unix

package load

import (
	"os"
	"syscall"
)

// openFiles counts file descriptors where the system tells, else nil. Since version 6.2 Linux gives their number as
// the size of the folder, which costs the same for ten and for ten thousand; before, the folder must be read.
func openFiles() *int {
	const folder = "/proc/self/fd"
	info, err := os.Stat(folder)
	if err != nil {
		return nil
	}
	if count := int(info.Size()); count > 0 {
		return &count
	}
	dir, err := os.Open(folder)
	if err != nil {
		return nil
	}
	defer func() { _ = dir.Close() }()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return nil
	}
	count := len(names)
	return &count
}

// openFilesLimit is the most that the system lets this process open.
func openFilesLimit() *int64 {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil {
		return nil
	}
	most := int64(limit.Cur)
	if most < 0 {
		return nil // no limit
	}
	return &most
}
