package main

import (
	"context"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"syscall"
)

// crash stands for a bug in the program: scripts call it as a command.
//
//	crash panic|goroutine|nil|map|abort|memory|space
func crash() {
	endCrashesWithStatus1()
	switch os.Args[1] {
	case "panic":
		panic("a bug")
	case "goroutine":
		go panic("a bug")
		<-context.Background().Done()
	case "nil":
		var absent *settings
		absent.files = nil
	case "map":
		m := map[int]int{}
		for range 4 {
			go func() {
				for i := 0; ; i++ {
					m[i%8]++
				}
			}()
		}
		<-context.Background().Done()
	case "abort": // as OpenCV does after an exception that nobody catches
		_ = syscall.Kill(os.Getpid(), syscall.SIGABRT)
		<-context.Background().Done()
	case "memory":
		held := [][]byte{}
		for len(held) < 1<<30 {
			held = append(held, make([]byte, 64<<20))
		}
		runtime.KeepAlive(held)
	case "space": // as OpenBLAS, which waits until it gets some
		for {
			if _, err := syscall.Mmap(-1, 0, 64<<20, syscall.PROT_NONE, syscall.MAP_PRIVATE|syscall.MAP_ANON); err != nil {
				_ = syscall.Pause()
			}
		}
	}
}

// underRaceDetector reports whether the test binary has the race detector, which
// reserves terabytes of address space.
func underRaceDetector() bool {
	build, _ := debug.ReadBuildInfo()
	return build != nil && slices.Contains(build.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}
