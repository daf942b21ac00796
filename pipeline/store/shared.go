package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"descbench/pipeline/files"
)

// MakeFolder creates a folder and its parents, unless they exist.
func MakeFolder(dir string) error {
	err := os.MkdirAll(dir, 0o777)
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) { // about a parent
		return &fs.PathError{Op: "create folder", Path: dir, Err: failed.Err}
	}
	return err
}

// Existing returns a path, or the nearest folder above it that exists and can be seen.
func Existing(path string) (at string, info fs.FileInfo, err error) {
	at = path
	info, err = os.Stat(at)
	for err != nil && filepath.Dir(at) != at {
		at = filepath.Dir(at)
		info, err = os.Stat(at)
	}
	return at, info, err
}

// Append opens a file to write at its end, and creates it as WriteFile does.
func Append(path string) (*os.File, error) {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		if err := WriteBytes(path, nil); err != nil {
			return nil, err
		}
	}
	return files.Append(path)
}
