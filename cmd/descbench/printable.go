package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"unicode"
	"unicode/utf8"
)

// printable escapes what could change a terminal's state or forge its content:
// control characters other than line feeds and tabs, characters that reverse the
// direction of text, and bytes that are not UTF-8. They come from the names and
// the content of files. Inside JSON strings, the escapes of characters are valid.
func printable(s string) string {
	if utf8.ValidString(s) && !strings.ContainsFunc(s, commandsTerminal) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[0])
		case commandsTerminal(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
		s = s[n:]
	}
	return b.String()
}

func commandsTerminal(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r)
}

// A printableWriter writes printable text. Flush writes what is left of a
// character that was never completed and returns the first error of all writes.
type printableWriter struct {
	to   io.Writer
	rest []byte // beginning of a character that continues in the next Write
	err  error
}

func (w *printableWriter) Write(p []byte) (int, error) {
	text := append(w.rest, p...)
	whole := len(text)
	for i := max(0, len(text)-utf8.UTFMax+1); i < len(text); i++ {
		if utf8.RuneStart(text[i]) && !utf8.FullRune(text[i:]) {
			whole = i
			break
		}
	}
	w.rest = append([]byte(nil), text[whole:]...)
	if err := w.write(text[:whole]); err != nil {
		return 0, err
	}
	return len(p), nil
}

func (w *printableWriter) write(text []byte) error {
	if len(text) == 0 {
		return nil
	}
	_, err := io.WriteString(w.to, printable(string(text)))
	w.err = cmp.Or(w.err, err)
	return err
}

func (w *printableWriter) Flush() error {
	_ = w.write(w.rest)
	w.rest = nil
	return w.err
}

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
