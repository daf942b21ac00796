package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
)

// A lineHandler writes messages as people read them, like every other line of the
// program: "warning: message; key: value; key: value".
type lineHandler struct{ out io.Writer }

// Enabled implements slog.Handler.
func (lineHandler) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelInfo }

// Handle implements slog.Handler.
func (h lineHandler) Handle(_ context.Context, r slog.Record) error {
	var b strings.Builder
	if r.Level >= slog.LevelWarn {
		b.WriteString("warning: ")
	}
	b.WriteString(r.Message)
	r.Attrs(func(a slog.Attr) bool {
		fmt.Fprintf(&b, "; %s: %v", a.Key, a.Value)
		return true
	})
	_, err := io.WriteString(h.out, printable(b.String())+"\n")
	return err
}

// WithAttrs implements slog.Handler. The program's loggers have no attributes of
// their own.
func (h lineHandler) WithAttrs([]slog.Attr) slog.Handler { return h }

// WithGroup implements slog.Handler, like WithAttrs.
func (h lineHandler) WithGroup(string) slog.Handler { return h }
