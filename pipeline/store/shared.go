package store

import (
	"errors"
	"io/fs"
	"os"
)

// MakeFolder creates a folder and its parents, unless they exist.
func MakeFolder(dir string) error {
	err := os.MkdirAll(dir, 0o777)
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) { // about a parent
		return &fs.PathError{Op: "create folder", Path: dir, Err: failed.Err}
	}
	return err
}
