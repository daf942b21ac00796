package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"descbench/pipeline/files"
)

// A process identifies a running process. Its text has no spaces except between
// the fields.
type process struct {
	place string // host/boot/namespace: where process ids have one meaning
	pid   int
	start string // when it started, in clock ticks since boot; "-" if unknown
}

// maxProc is more than the bytes that files of /proc have here.
const maxProc = 1 << 16

// thisProcess returns the current process. Where there is no /proc, the boot, the
// process namespace and the start time stay empty. It reads the start once, because
// emulators of other processors (qemu-user) show each thread its own.
var thisProcess = sync.OnceValues(func() (process, error) {
	host, err := os.Hostname()
	if err != nil {
		return process{}, err
	}
	boot, _ := files.Read("/proc/sys/kernel/random/boot_id", maxProc)
	namespace, _ := os.Readlink("/proc/self/ns/pid") // containers may share a host name
	place := strings.Join([]string{host, strings.TrimSpace(string(boot)), namespace}, "/")
	return process{place, os.Getpid(), startOf(os.Getpid())}, nil
})

func (p process) String() string { return fmt.Sprintf("%s %d %s", p.place, p.pid, p.start) }

// name returns "process 4711 of alice on node3", by the owner of a file that it wrote.
func (p process) name(written fs.FileInfo) string {
	host, _, _ := strings.Cut(p.place, "/")
	return fmt.Sprintf("process %d of %s on %s", p.pid, ownerOf(written), host)
}

// ownerOf returns the name of the owner of a file.
func ownerOf(file fs.FileInfo) string {
	id := strconv.Itoa(int(file.Sys().(*syscall.Stat_t).Uid))
	if of, err := user.LookupId(id); err == nil {
		return of.Username
	}
	return "user " + id
}

// gone reports whether the process ran on this machine and has ended. Its id may
// belong to a new process by now, which started at a different time.
func (p process) gone() bool {
	me, err := thisProcess()
	if err != nil || me.place != p.place {
		return false
	}
	if errors.Is(syscall.Kill(p.pid, 0), syscall.ESRCH) {
		return true
	}
	now := me.start
	if p.pid != me.pid {
		now = startOf(p.pid)
	}
	return p.start != "-" && now != "-" && now != p.start
}

// startOf returns when a process started, or "-" if that is unknown. See
// proc_pid_stat(5): it is field 22; field 2, a name in parentheses, may contain
// spaces.
func startOf(pid int) string {
	const start = 22 - 3 // after the parentheses, with field 3 at index 0
	stat, _ := files.Read("/proc/"+strconv.Itoa(pid)+"/stat", maxProc)
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	if len(fields) <= start {
		return "-"
	}
	return fields[start]
}
