package child

import (
	"fmt"
	"os"
	"syscall"
)

// attributes puts the process in a group of its own, which signals from the terminal do
// not reach, and lets it end if this one is killed.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// widen gives a pipe room for a megabyte, as far as the system allows, so that the two
// processes wait for each other less often.
func widen(pipe *os.File) {
	const setSize = 1031 // F_SETPIPE_SZ of linux/fcntl.h
	if raw, err := pipe.SyscallConn(); err == nil {
		_ = raw.Control(func(fd uintptr) { _, _, _ = syscall.Syscall(syscall.SYS_FCNTL, fd, setSize, 1<<20) })
	}
}

// sacrifice makes the system end the process, not this one, if memory runs out.
func sacrifice(pid int) {
	_ = os.WriteFile(fmt.Sprintf("/proc/%d/oom_score_adj", pid), []byte("1000"), 0)
}
