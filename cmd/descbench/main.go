// Descbench benchmarks local image descriptors. It runs a whole experiment from
// one YAML file and evaluates it by the field's protocols.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"syscall"

	"golang.org/x/text/transform"

	"descbench/eval/patches"
	"descbench/pipeline/config"
	"descbench/pipeline/files"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

// version is set by the linker.
var version = "unknown"

func main() { os.Exit(run()) }

// run runs the command line and returns the exit status.
func run() int {
	// The heap of most runs is small, and would be collected dozens of times a second. A
	// block that is never touched, and so takes no memory, lets that wait for 32 MB of
	// garbage.
	ballast := make([]byte, 32<<20)
	defer endPanic()
	// The first interrupt stops the work cleanly. A second one kills the program
	// at once. Under nohup, the end of the terminal is ignored.
	interrupts := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		interrupts = append(interrupts, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), interrupts...)
	root := newRootCommand()
	complain := func(text string, status int) {
		if format, _ := root.PersistentFlags().GetString("log-format"); format == "json" {
			slog.New(slog.NewJSONHandler(os.Stderr, nil)).Error(text, "status", status)
		} else {
			fmt.Fprintln(os.Stderr, printable("descbench: "+text))
		}
	}
	context.AfterFunc(ctx, func() {
		second := make(chan os.Signal, 1)
		signal.Notify(second, interrupts...)
		stop()
		<-second
		complain("interrupted twice, stopped at once", exitInterrupted)
		os.Exit(exitInterrupted)
	})
	stdout := &faultKeeper{to: os.Stdout}
	escaped := transform.NewWriter(stdout, escaper{})
	root.SetOut(escaped)
	root.SetErr(transform.NewWriter(os.Stderr, escaper{}))
	cmd, err := root.ExecuteContextC(ctx)
	err = cmp.Or(err, escaped.Close(), stdout.err)
	text := ""
	switch {
	case errors.Is(err, context.Canceled):
		text = "interrupted" + cmd.Annotations[interruptedHint]
	case err != nil:
		text = err.Error()
	}
	is := func(errs ...error) bool {
		return slices.ContainsFunc(errs, func(e error) bool { return errors.Is(err, e) })
	}
	at, fault := (*fs.PathError)(nil), (*store.Fault)(nil)
	switch {
	case is(syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG):
		text += "; free some space or raise the limit, and rerun the same command to resume; or choose another --out or --cache"
	case is(syscall.ENOTDIR):
		text += "; a part of this path is a file, want folders"
	case is(syscall.EROFS):
		text += "; choose another place that you may write"
	case is(fs.ErrPermission) && errors.As(err, &at):
		text += "; " + store.AskOwner
	case is(fs.ErrNotExist) && errors.As(err, &at):
		text += files.Meant(at.Path)
	case is(fs.ErrNotExist) && errors.As(err, &fault) && filepath.IsAbs(fault.Where):
		text += files.Meant(fault.Where)
	}
	if text != "" {
		complain(text, exitStatus(err))
	}
	runtime.KeepAlive(ballast)
	return exitStatus(err)
}

// The exit statuses of all commands. The help lists them.
const (
	exitDone        = 0
	exitFault       = 1   // bug in descbench
	exitInput       = 2   // invalid input: config or flags; also the Go runtime's after a crash
	exitData        = 3   // bad data or environment
	exitIncomplete  = 4   // finished, but some scenes failed
	exitWorse       = 5   // a descriptor is worse than the baseline
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
  5    compare --fail-if-worse: a descriptor is worse than the baseline
  130  interrupted
`

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
	case isA[worseError](err):
		return exitWorse
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
