// Package files is the door for what comes from outside: it opens the files that users
// pass in and those of folders that may come from somebody else.
// Such a file may turn out to be a device, a named pipe or far larger than expected;
// reading it would hang or exhaust the memory of the machine. Only regular files of bounded
// size are read.
package files

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"syscall"

	"github.com/dustin/go-humanize"
)

// An Error says which file cannot be opened, and why, as a user would say it. It
// wraps a [*fs.PathError].
type Error struct{ at *fs.PathError }

func (e *Error) Error() string { return e.at.Path + ": " + e.at.Err.Error() }

func (e *Error) Unwrap() error { return e.at }

func fault(path string, err error) error {
	return &Error{&fs.PathError{Op: "open", Path: path, Err: Reason(err)}}
}

// Reason returns err without the path of the file, for callers that name the file.
func Reason(err error) error {
	if at := (*fs.PathError)(nil); errors.As(err, &at) {
		return at.Err
	}
	return err
}

// Open opens a regular file of at most limit bytes for reading. Errors are an
// [*Error]; the caller closes the file.
func Open(path string, limit int64) (*os.File, error) { return open(path, os.O_RDONLY, limit) }

// Append is like Open for writing at the end of a file of any size.
func Append(path string) (*os.File, error) { return open(path, os.O_WRONLY|os.O_APPEND, math.MaxInt64) }

func open(path string, flag int, limit int64) (*os.File, error) {
	// Opening a device can have effects of its own, so the type is checked first,
	// and again after opening, because the file may have been exchanged.
	// O_NONBLOCK prevents waiting for the other end of a named pipe.
	info, err := os.Stat(path)
	if err != nil {
		return nil, fault(path, err)
	}
	if err := check(path, info, limit); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, flag|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, fault(path, err)
	}
	if info, err = f.Stat(); err == nil {
		err = check(path, info, limit)
	}
	if err != nil {
		_ = f.Close()
		return nil, fault(path, err)
	}
	return f, nil
}

// Read returns the content of a regular file of at most limit bytes. It returns
// an error if the file grows beyond the limit while it is read.
func Read(path string, limit int64) ([]byte, error) {
	f, err := Open(path, limit)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, fault(path, err)
	}
	var content bytes.Buffer
	content.Grow(int(info.Size()) + bytes.MinRead)
	if _, err := content.ReadFrom(io.LimitReader(f, limit+1)); err != nil {
		return nil, err
	}
	if int64(content.Len()) > limit {
		return nil, tooLarge(path, limit)
	}
	return content.Bytes(), nil
}

func check(path string, info fs.FileInfo, limit int64) error {
	if kind := kindOf(info.Mode()); kind != "" {
		return fault(path, fmt.Errorf("is a %s, want a regular file", kind))
	}
	if info.Size() > limit {
		return tooLarge(path, limit)
	}
	return nil
}

func tooLarge(path string, limit int64) error {
	return fault(path, fmt.Errorf("larger than %s, the limit for such a file", humanize.IBytes(uint64(limit))))
}

func kindOf(mode fs.FileMode) string {
	switch {
	case mode.IsRegular():
		return ""
	case mode.IsDir():
		return "folder"
	case mode&fs.ModeNamedPipe != 0:
		return "named pipe"
	case mode&fs.ModeSocket != 0:
		return "socket"
	}
	return "device"
}
