// Descbench measures local image descriptors: it runs a whole experiment from
// one YAML file and prints what the field's protocols say about it.
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
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
	text := ""
	switch {
	case errors.Is(err, context.Canceled):
		text = "interrupted"
	case err != nil:
		text = err.Error()
	}
	if format, _ := root.PersistentFlags().GetString("log-format"); text != "" && format == "json" {
		slog.New(slog.NewJSONHandler(os.Stderr, nil)).Error(text, "status", exitStatus(err))
	} else if text != "" {
		fmt.Fprintln(os.Stderr, "descbench: "+text)
	}
	os.Exit(exitStatus(err))
}
