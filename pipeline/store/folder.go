package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// CreateFolder creates a folder, which appears when fill has written all of its files to the
// temporary one that it is given. If path exists by then and is not an empty folder, it stays, and
// the error matches fs.ErrExist.
func (r Root) CreateFolder(path string, fill func(temporary string) error) error {
	if err := MakeFolder(string(r)); err != nil {
		return err
	}
	root, name, err := r.open(path)
	if err != nil {
		return err
	}
	defer root.Close()
	temporary := r.temporaryFolder(root, name)
	if err := root.MkdirAll(temporary, 0o777); err != nil {
		if at := (*fs.PathError)(nil); errors.As(err, &at) { // name no temporary folder
			at.Op, at.Path = "write in", filepath.Join(string(r), filepath.Dir(name))
		}
		return r.explained(root, temporary, err)
	}
	defer func() { _ = root.RemoveAll(temporary) }()
	if err := fill(filepath.Join(string(r), temporary)); err != nil {
		if at := (*fs.PathError)(nil); errors.As(err, &at) {
			at.Path = strings.Replace(at.Path, temporary, name, 1)
		}
		return err
	}
	if there, err := root.Lstat(name); err == nil && there.IsDir() {
		_ = root.Remove(name) // if it is empty
	}
	if err := root.Rename(temporary, name); err != nil {
		return err
	}
	return syncFolder(root, filepath.Dir(name))
}

// RemoveFolder removes a file, or a folder with all its files, which disappear at once. A missing one
// is no error.
func (r Root) RemoveFolder(path string) error {
	return r.in(path, func(root *os.Root, name string) error {
		temporary := r.temporaryFolder(root, name)
		if err := root.Rename(name, temporary); err != nil {
			return err
		}
		return root.RemoveAll(temporary)
	})
}

// Move gives a file of the root another name in it. The error matches fs.ErrExist if there is a file
// of that name.
func (r Root) Move(from, to string) error {
	return r.in(to, func(root *os.Root, name string) error {
		old, err := filepath.Rel(string(r), from)
		if _, none := root.Lstat(name); err == nil && none == nil {
			err = fs.ErrExist
		}
		if err == nil {
			err = root.MkdirAll(filepath.Dir(name), 0o777)
		}
		if err == nil {
			err = root.Rename(old, name)
		}
		return err
	})
}

// temporaryFolder returns a name for an unfinished folder next to the one with the given name.
func (r Root) temporaryFolder(root *os.Root, name string) string {
	r.clearOnce(root, filepath.Dir(name))
	return filepath.Join(filepath.Dir(name), temporaryName(filepath.Base(name)))
}
