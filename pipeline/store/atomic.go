package store

import (
	"bufio"
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// temporaryMark is part of the names of unfinished files:
// .<final name>.tmp-<random>.
const temporaryMark = ".tmp-"

// WriteFile atomically writes the file path with the content that write produces.
// The content goes to a temporary file in the same folder, which is renamed to
// path once it is complete and on disk. Until then, readers see the previous file
// or no file. If write or anything else fails, the previous file stays and the
// temporary one is removed. WriteFile creates the folder if it does not exist.
func WriteFile(path string, write func(io.Writer) error) error {
	return writeFile(path, write, os.Rename)
}

// WriteBytes is like WriteFile for content in memory.
func WriteBytes(path string, content []byte) error { return writeFile(path, these(content), os.Rename) }

// CreateFile is like WriteBytes but never replaces a file. If path exists, even if
// another process creates it at the same moment, the error matches fs.ErrExist.
func CreateFile(path string, content []byte) error { return writeFile(path, these(content), renameNew) }

func these(content []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	}
}

func writeFile(path string, write func(io.Writer) error, rename func(from, to string) error) error {
	p, err := Create(path)
	if err != nil {
		return err
	}
	defer p.Abort()
	if err := write(p); err != nil {
		return p.Failure(err)
	}
	return p.commitBy(rename)
}

// renameNew renames a file unless the new name exists. A hard link decides
// between several processes, on network file systems too. On a file system
// without hard links, two processes that rename at the same moment may both
// succeed.
func renameNew(from, to string) error {
	err := os.Link(from, to)
	if err == nil {
		_ = os.Remove(from) // a leftover file is recognised by its name
		return nil
	}
	if _, there := os.Lstat(to); errors.Is(err, fs.ErrExist) || there == nil {
		return fmt.Errorf("%s: %w", to, fs.ErrExist)
	}
	return os.Rename(from, to)
}

// RemoveTemporary removes unfinished files that killed processes left in dir and
// the folders below, and returns their number. It keeps files written less than
// olderThan ago, because another process may still be writing them.
func RemoveTemporary(dir string, olderThan time.Duration) (removed int, err error) {
	err = WalkFiles(dir, func(path string, info fs.FileInfo) error {
		if !IsTemporary(info.Name()) || time.Since(info.ModTime()) <= olderThan {
			return nil
		}
		if err := os.Remove(path); err != nil {
			return IgnoreMissing(err)
		}
		removed++
		return nil
	})
	return removed, err
}

// IsTemporary reports whether a file name is that of an unfinished file.
func IsTemporary(name string) bool {
	return strings.HasPrefix(name, ".") && strings.Contains(name, temporaryMark)
}

// WalkFiles visits the regular files in dir and below, in lexical order. It skips
// files and folders that disappear in the meantime, including dir itself.
func WalkFiles(dir string, visit func(path string, info fs.FileInfo) error) error {
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return IgnoreMissing(err)
		}
		if !entry.Type().IsRegular() {
			return nil
		}
		info, err := entry.Info()
		if err != nil {
			return IgnoreMissing(err)
		}
		return visit(path, info)
	})
}

// IgnoreMissing returns nil for an error about a file that does not exist.
func IgnoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// A Pending file is a file that does not have its final name yet. Only the first
// call of Commit or Abort takes effect.
type Pending struct {
	file *os.File
	buf  *bufio.Writer
	path string // final name
	done bool
}

// Create starts writing the file path, as WriteFile does.
func Create(path string) (*Pending, error) {
	dir, name := filepath.Split(path)
	if name == "" {
		return nil, fmt.Errorf("write %q: want a file name, found a folder", path)
	}
	if err := os.MkdirAll(filepath.Clean(dir), 0o777); err != nil {
		return nil, err
	}
	// Not os.CreateTemp, whose files are private to the user whatever the umask.
	temporary := filepath.Join(dir, "."+name+temporaryMark+rand.Text())
	f, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, writeError(path, temporary, err)
	}
	return &Pending{file: f, buf: bufio.NewWriterSize(f, 1<<16), path: path}, nil
}

func (p *Pending) Write(b []byte) (int, error) { return p.buf.Write(b) }

// Temporary returns the name that the file has until Commit.
func (p *Pending) Temporary() string { return p.file.Name() }

// Failure returns an error about the file under its final name.
func (p *Pending) Failure(err error) error { return writeError(p.path, p.Temporary(), err) }

// writeError returns an error with the final name of a file, and without its
// temporary one.
func writeError(path, temporary string, err error) error {
	var at *fs.PathError
	if errors.As(err, &at) && at.Path == temporary {
		err = at.Err
	}
	return fmt.Errorf("write %s: %w", path, err)
}

// Commit flushes the file to disk and gives it its final name.
func (p *Pending) Commit() error { return p.commitBy(os.Rename) }

func (p *Pending) commitBy(rename func(from, to string) error) error {
	if p.done {
		return fmt.Errorf("write %s: %w", p.path, os.ErrClosed)
	}
	p.done = true
	err := p.buf.Flush()
	if err == nil {
		err = p.file.Sync()
	}
	err = cmp.Or(err, p.file.Close())
	if err == nil {
		err = rename(p.Temporary(), p.path)
	}
	if err != nil {
		_ = os.Remove(p.Temporary()) // as in Abort
		return p.Failure(err)
	}
	return syncFolder(filepath.Dir(p.path))
}

// Abort removes the file if it was not committed. It ignores errors: a leftover
// file is recognised by its name and removed later.
func (p *Pending) Abort() {
	if p.done {
		return
	}
	p.done = true
	_ = p.file.Close()
	_ = os.Remove(p.Temporary())
}

// syncFolder flushes a rename in dir to disk.
func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = d.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		err = nil // some network file systems do not support this and do not need it
	}
	return cmp.Or(err, d.Close())
}
