// Package text reads line-based formats: numbered lines, comma-separated fields,
// numbers and indexes.
package text

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
)

// A Fault describes an error in a file.
type Fault struct {
	File   string
	Line   int // from 1; 0 for the whole file
	Reason string
	Err    error // the cause, if there is one; not part of the text
}

// Unwrap returns the cause.
func (f *Fault) Unwrap() error { return f.Err }

// Error returns the fault as one line: file, line, found and expected content.
func (f *Fault) Error() string {
	if f.Line == 0 {
		return f.File + ": " + f.Reason
	}
	return fmt.Sprintf("%s: line %d: %s", f.File, f.Line, f.Reason)
}

// maxLine is the largest length of a line in bytes. Lines with all matches of an image are long.
const maxLine = 64 << 20

// Lines returns the lines of a text file one by one, with surrounding blanks removed.
// Empty lines are only allowed at the end of the file.
type Lines struct {
	File string
	Line int // number of the last line returned, from 1
	rest *bufio.Scanner
}

// Read returns the lines of r; name is the file name in faults.
func Read(name string, r io.Reader) *Lines {
	l := &Lines{File: name, rest: bufio.NewScanner(r)}
	l.rest.Buffer(nil, maxLine)
	return l
}

// All returns everything from r, without blanks and empty lines at the end.
func All(name string, r io.Reader) ([]byte, error) {
	var content bytes.Buffer
	if s, ok := r.(interface{ Size() int64 }); ok {
		content.Grow(int(s.Size()) + bytes.MinRead) // otherwise the buffer grows in many steps
	}
	if _, err := content.ReadFrom(r); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return bytes.TrimRight(content.Bytes(), " \t\r\n"), nil
}

// Next returns the next line, which is valid until the next call; ok is false after the last line.
func (l *Lines) Next() (line []byte, ok bool, err error) {
	last := l.Line
	for l.rest.Scan() {
		l.Line++
		if line = Trim(l.rest.Bytes()); len(line) > 0 {
			break
		}
	}
	switch err := l.rest.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		l.Line++
		return nil, false, l.Faultf("more than %d bytes, want shorter lines", maxLine)
	case err != nil:
		return nil, false, fmt.Errorf("%s: %w", l.File, err)
	case len(line) == 0: // the end, after empty lines
		l.Line = last
		return nil, false, nil
	case l.Line > last+1:
		l.Line = last + 1
		return nil, false, l.Faultf("empty line")
	}
	for _, c := range line {
		if c >= 0x80 {
			return nil, false, l.Faultf("byte %#x, want ASCII", c)
		}
	}
	return line, true, nil
}

// All yields the remaining lines, and ends with an error.
func (l *Lines) All() iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for {
			line, ok, err := l.Next()
			if !ok && err == nil || !yield(line, err) || err != nil {
				return
			}
		}
	}
}

// Want is like Next, but returns an error if there is no next line; what describes
// the expected line.
func (l *Lines) Want(what string) ([]byte, error) {
	line, ok, err := l.Next()
	if err == nil && !ok {
		err = &Fault{File: l.File, Line: l.Line + 1, Reason: "end of file, want " + what}
	}
	return line, err
}

// End returns an error if there is another line; want describes the expected lines.
func (l *Lines) End(want string) error {
	_, ok, err := l.Next()
	if ok {
		return l.Faultf("extra line, want %s", want)
	}
	return err
}

// Faultf returns a fault in the last line returned.
func (l *Lines) Faultf(format string, args ...any) error {
	return &Fault{File: l.File, Line: l.Line, Reason: fmt.Sprintf(format, args...)}
}

// Fields appends the comma-separated fields of line to dst, with surrounding blanks
// removed.
func Fields(dst [][]byte, line []byte) [][]byte {
	for {
		end := bytes.IndexByte(line, ',')
		if end < 0 {
			return append(dst, Trim(line))
		}
		dst = append(dst, Trim(line[:end]))
		line = line[end+1:]
	}
}

// Trim returns b without surrounding blanks, tabs and carriage returns.
func Trim(b []byte) []byte {
	for len(b) > 0 && IsBlank(b[0]) {
		b = b[1:]
	}
	for len(b) > 0 && IsBlank(b[len(b)-1]) {
		b = b[:len(b)-1]
	}
	return b
}

// IsBlank reports whether c is a blank, a tab or a carriage return.
func IsBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }

// Quote returns b in quotes for an error message, truncated if it is long.
func Quote(b []byte) string {
	const most = 40
	if len(b) > most {
		return fmt.Sprintf("%q...", b[:most])
	}
	return fmt.Sprintf("%q", b)
}
