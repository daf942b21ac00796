// Package store has what all files of a run have in common (files that appear complete
// or not at all, claims, checksums, kinds of damage) and the results of a run as CSV, JSON
// and SQLite. Packages below it have the records in Parquet (records) and the write-once
// units and the cache (unitfile).
//
// Three rules apply to all files. A file appears under its name complete or not
// at all. Equal content is written as equal bytes, except in SQLite files, which
// contain times. Values that were not computed are absent (an empty field in CSV,
// no key in JSON, NULL in SQLite), never 0, -1 or NaN.
package store

import (
	"errors"
	"fmt"
	"syscall"
)

var (
	// ErrDamaged is wrapped by errors about files whose content is not what was
	// written: truncated or altered. Callers that can recompute the content should
	// do so.
	ErrDamaged = errors.New("damaged file")

	// ErrForeign is wrapped by errors about sound files whose content belongs
	// elsewhere: to another run, another place in the run, another cache entry, another
	// kind of file or another version of the format. As with ErrDamaged, callers should
	// recompute the content if they can.
	ErrForeign = errors.New("wrong file")
)

// AskOwner says what to do where the user may not read or write.
const AskOwner = "choose another place, or ask the owner to share the folder with a group (see docs/cluster.md)"

// Unusable reports whether err is about a file that exists and can be read, but
// whose content must be recomputed.
func Unusable(err error) bool { return errors.Is(err, ErrDamaged) || errors.Is(err, ErrForeign) }

// A Fault reports what is wrong with data from outside: something of a data set is
// missing, incomplete or invalid, or what is in a folder, or should come into it, keeps a
// command from filling it. In the evaluation of a scene only the first kind occurs: it
// is no matter of a descriptor.
type Fault struct {
	Where string // a folder, a file, an address, a scene or its file: "v_dogman/H_1_3"
	Err   error
}

// Faultf returns a formatted Fault.
func Faultf(where, format string, args ...any) *Fault {
	return &Fault{where, fmt.Errorf(format, args...)}
}

func (f *Fault) Error() string { return f.Where + ": " + f.Err.Error() }

// Unwrap returns the cause.
func (f *Fault) Unwrap() error { return f.Err }

// Damaged adds the path to err and wraps ErrDamaged, unless the operating system
// could not read the file, because then the content may be sound.
func Damaged(path string, err error) error {
	var errno syscall.Errno
	if errors.As(err, &errno) {
		return fmt.Errorf("read %s: %w", path, err)
	}
	if errors.Is(err, ErrDamaged) {
		return fmt.Errorf("%s: %w", path, err)
	}
	return fmt.Errorf("%s: %w: %w", path, ErrDamaged, err)
}
