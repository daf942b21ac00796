//go:build !linux

package child

import "syscall"

// attributes puts the process in a group of its own, which signals from the terminal do
// not reach.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

func sacrifice(int) {}
