// Descbench measures local image descriptors: it runs a whole experiment from
// one YAML file and prints what the field's protocols say about it.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// version is set by the linker.
var version = "unknown"

func main() {
	// The first interrupt stops the work in good order; after it, a second one
	// ends the program at once, as it does without us.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	root := newRootCommand()
	err := root.ExecuteContext(ctx)
	switch {
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(os.Stderr, "descbench: interrupted")
	case err != nil:
		fmt.Fprintln(os.Stderr, "descbench: "+err.Error())
	}
	os.Exit(exitStatus(err))
}
