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

// sacrifice makes the system end the process, not this one, if memory runs out.
func sacrifice(pid int) {
	_ = os.WriteFile(fmt.Sprintf("/proc/%d/oom_score_adj", pid), []byte("1000"), 0)
}
