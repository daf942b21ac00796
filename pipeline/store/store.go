// Package store reads and writes all files of a run: atomic files, the write-once
// units from which a killed run resumes, the feature cache, the records in
// Parquet, and the results as CSV, JSON and SQLite.
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
	// written: truncated, altered or of a different kind. Callers that can
	// recompute the content should do so.
	ErrDamaged = errors.New("damaged file")

	// ErrNotCached is wrapped by errors about keys for which the cache has no
	// usable entry. If the entry is damaged, the error also wraps ErrDamaged.
	ErrNotCached = errors.New("not in the cache")
)

// damaged adds the path to err and wraps ErrDamaged, unless the operating system
// could not read the file, because then the content may be sound.
func damaged(path string, err error) error {
	var errno syscall.Errno
	if errors.As(err, &errno) {
		return fmt.Errorf("read %s: %w", path, err)
	}
	return fmt.Errorf("%s: %w: %w", path, ErrDamaged, err)
}
