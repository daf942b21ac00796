//go:build unix

package paired

import (
	"syscall"
	"time"
)

// CPU returns the user and system time of all threads of this process so far.
func CPU() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // only for an unknown RUSAGE constant
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
