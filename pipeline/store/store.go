// Package store is everything of a run that touches the disk: atomic files,
// the write-once units that a killed run continues from, the feature cache,
// the records in Parquet, and the results as CSV, JSON and SQLite.
//
// Three rules hold throughout. A file appears under its name complete or not
// at all. Equal content is written as equal bytes, except in SQLite files,
// which hold times. What was not computed is absent (an empty field in CSV, no
// key in JSON, NULL in SQLite), never 0, -1 or NaN.
package store

import (
	"errors"
	"fmt"
	"syscall"
)

var (
	// ErrDamaged is wrapped by errors about files whose content is not what
	// was once written: cut short, altered, or of another kind. Whoever can
	// compute the content again should.
	ErrDamaged = errors.New("damaged file")

	// ErrNotCached is wrapped by errors about keys that the cache cannot
	// serve. If there is a file but no use in it, ErrDamaged is wrapped too.
	ErrNotCached = errors.New("not in the cache")
)

// damaged names the file in err and marks it as ErrDamaged, unless the
// operating system could not read the file, which says nothing about the
// content.
func damaged(path string, err error) error {
	var errno syscall.Errno
	if errors.As(err, &errno) {
		return fmt.Errorf("read %s: %w", path, err)
	}
	return fmt.Errorf("%s: %w: %w", path, ErrDamaged, err)
}
