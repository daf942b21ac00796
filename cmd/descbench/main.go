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
	"runtime"
	"slices"
	"syscall"

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
	// at once, which is the default. Under nohup, the end of the terminal is ignored.
	interrupts := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		interrupts = append(interrupts, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), interrupts...)
	context.AfterFunc(ctx, stop)
	root := newRootCommand()
	stdout := &printableWriter{to: os.Stdout}
	root.SetOut(stdout)
	root.SetErr(&printableWriter{to: os.Stderr})
	cmd, err := root.ExecuteContextC(ctx)
	err = cmp.Or(err, stdout.Flush())
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
	denied := (*fs.PathError)(nil)
	switch {
	case is(syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG):
		text += "; free some space or raise the limit, and rerun the same command to resume; or choose another --out or --cache"
	case is(syscall.ENOTDIR):
		text += "; a part of this path is a file, want folders"
	case is(syscall.EROFS):
		text += "; choose another place that you may write"
	case is(fs.ErrPermission) && errors.As(err, &denied):
		text += "; " + store.Permit(denied.Path)
	}
	if format, _ := root.PersistentFlags().GetString("log-format"); text != "" && format == "json" {
		slog.New(slog.NewJSONHandler(os.Stderr, nil)).Error(text, "status", exitStatus(err))
	} else if text != "" {
		fmt.Fprintln(os.Stderr, printable("descbench: "+text))
	}
	runtime.KeepAlive(ballast)
	return exitStatus(err)
}
