package store

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// CreateFolder creates a folder, which appears when fill has written all of its files to the
// temporary one that it is given. If path exists by then and is not an empty folder, it stays, and
// the error matches fs.ErrExist.
func CreateFolder(path string, fill func(temporary string) error) error {
	path = filepath.Clean(path)
	parent, dir, err := temporaryFolder(path)
	if err != nil {
		return err
	}
	defer parent.Close()
	defer parent.RemoveAll(filepath.Base(dir))
	if err := MakeFolder(dir); err != nil {
		return err
	}
	if err := fill(dir); err != nil {
		if at := (*fs.PathError)(nil); errors.As(err, &at) {
			at.Path = strings.Replace(at.Path, dir, path, 1)
		}
		return err
	}
	_ = syscall.Rmdir(path) // if it is empty
	return cmp.Or(parent.Rename(filepath.Base(dir), filepath.Base(path)), syncFolder(parent, "."))
}

// RemoveFolder removes a folder with all its files, which disappears at once.
func RemoveFolder(path string) error {
	parent, dir, err := temporaryFolder(filepath.Clean(path))
	if err != nil {
		return err
	}
	defer parent.Close()
	if err := parent.Rename(filepath.Base(path), filepath.Base(dir)); err != nil {
		return IgnoreMissing(err)
	}
	return parent.RemoveAll(filepath.Base(dir))
}

// temporaryFolder returns the opened folder in which a path is, and the path of an unfinished
// folder in it.
func temporaryFolder(path string) (parent *os.Root, dir string, err error) {
	in, name := filepath.Dir(path), filepath.Base(path)
	if err := MakeFolder(in); err != nil {
		return nil, "", err
	}
	if parent, err = os.OpenRoot(in); err == nil {
		Root(in).clearOnce(parent, ".")
	}
	return parent, filepath.Join(in, temporaryName(name)), err
}
