package main

import (
	"context"
	"os"
	"syscall"
)

// crash stands for a bug in the program: scripts call it as a command.
//
//	crash panic|goroutine|abort
func crash() {
	defer endPanic()
	switch os.Args[1] {
	case "panic":
		panic("a bug")
	case "goroutine":
		go panic("a bug")
	case "abort": // as OpenCV does after an exception that nobody catches
		_ = syscall.Kill(os.Getpid(), syscall.SIGABRT)
	}
	<-context.Background().Done()
}
