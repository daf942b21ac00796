package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"descbench/pipeline/files"
)

// share gives the group of a new file or folder what its owner may do, whatever the umask, if
// its folder is shared: setgid, and writable for the group. It is git's core.sharedRepository.
// Where that fails, the umask holds.
func share(root *os.Root, name string) {
	const groupWrite = 0o020
	folder, err := root.Stat(filepath.Dir(name))
	if err != nil || folder.Mode()&fs.ModeSetgid == 0 || folder.Mode()&groupWrite == 0 {
		return
	}
	if info, err := root.Lstat(name); err == nil {
		_ = root.Chmod(name, info.Mode()|info.Mode()&0o700>>3)
	}
}

// MakeFolder creates a folder and its parents, unless they exist. In a folder that is setgid
// and writable for its group, they are so too, whatever the umask.
func MakeFolder(dir string) error {
	at, _, err := Existing(dir)
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(at)
	if err != nil {
		return err
	}
	defer root.Close()
	below, err := filepath.Rel(at, dir)
	if err == nil {
		err = makeFolders(root, below)
	}
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) { // whose path begins at the root
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

// makeFolders is MakeFolder below a root.
func makeFolders(root *os.Root, name string) error {
	if _, err := root.Stat(name); name == "." || !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := makeFolders(root, filepath.Dir(name)); err != nil {
		return err
	}
	err := root.Mkdir(name, 0o777)
	share(root, name)
	if errors.Is(err, fs.ErrExist) { // another process made it at the same moment
		return nil
	}
	return err
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
