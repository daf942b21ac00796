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

	"golang.org/x/text/transform"
)

// printable escapes what could change a terminal's state or forge its content:
// control characters other than line feeds and tabs, characters that reverse the
// direction of text, and bytes that are not UTF-8. They come from the names and
// the content of files. Inside JSON strings, the escapes of characters are valid.
func printable(s string) string {
	escaped, _, _ := transform.String(escaper{}, s) // never fails
	return escaped
}

// An escaper makes text printable.
type escaper struct{ transform.NopResetter }

// Transform implements transform.Transformer.
func (escaper) Transform(dst, src []byte, atEOF bool) (written, read int, err error) {
	for read < len(src) {
		if !atEOF && !utf8.FullRune(src[read:]) {
			return written, read, transform.ErrShortSrc
		}
		r, n := utf8.DecodeRune(src[read:])
		text := src[read : read+n]
		if r == utf8.RuneError && n == 1 {
			text = fmt.Appendf(nil, `\x%02x`, src[read])
		} else if commandsTerminal(r) {
			text = fmt.Appendf(nil, `\u%04x`, r)
		}
		if written+len(text) > len(dst) {
			return written, read, transform.ErrShortDst
		}
		written += copy(dst[written:], text)
		read += n
	}
	return written, read, nil
}

func commandsTerminal(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r)
}

// A faultKeeper keeps the first error of all writes, which commands need not check.
type faultKeeper struct {
	to  io.Writer
	err error
}

func (k *faultKeeper) Write(b []byte) (int, error) {
	n, err := k.to.Write(b)
	k.err = cmp.Or(k.err, err)
	return n, err
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
