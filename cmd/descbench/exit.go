package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime/debug"
	"syscall"

	"descbench/eval/patches"
	"descbench/pipeline/config"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

// The exit statuses of all commands. The help lists them.
const (
	exitDone        = 0
	exitFault       = 1   // bug in descbench
	exitInput       = 2   // invalid input: config or flags; also the Go runtime's after a crash
	exitData        = 3   // bad data or environment
	exitIncomplete  = 4   // finished, but some scenes failed
	exitInterrupted = 130 // stopped by a signal
)

const exitHelp = `
EXIT STATUS
  0    done
  1    bug in descbench
  2    invalid input: config or flags; with a trace: bug in descbench
  3    bad data or environment: no data set, all scenes failed, no
       keypoints in any scene, output not writable, disk full; results,
       compare, report: a run without results (the others are shown)
  4    run, fold, eval, patches extract: finished, but some scenes
       failed; the output names them
  130  interrupted`

// interruptedHint is the annotation of a command with what to do after an
// interrupt.
const interruptedHint = "interrupted"

// resumes annotates a command that keeps its finished parts.
var resumes = map[string]string{interruptedHint: "; rerun the same command to resume"}

// endPanic, deferred by the main goroutine, ends its panic with status 1. After one elsewhere
// or a crash in C, the Go runtime prints a trace and ends with status 2.
func endPanic() {
	if fault := recover(); fault != nil {
		fmt.Fprintf(os.Stderr, "panic: %v\n\n%s\ndescbench: crashed; please report this bug with the lines above\n", fault, debug.Stack())
		os.Exit(exitFault)
	}
}

// exitStatus returns the exit status for an error.
func exitStatus(err error) int {
	failed, some := errors.AsType[*plan.FailedScenesError](err)
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	case some && !failed.All():
		return exitIncomplete
	case some, isA[*plan.DataError](err), isA[*store.Fault](err), isA[*patches.Fault](err):
		return exitData
	case isA[*config.Error](err), isA[usageError](err), isA[*patches.OptionError](err):
		return exitInput
	case isA[*fs.PathError](err), isA[syscall.Errno](err):
		return exitData
	}
	return exitFault
}

func isA[E error](err error) bool {
	_, is := errors.AsType[E](err)
	return is
}
