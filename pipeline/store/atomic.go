package store

import (
	"bufio"
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

// temporaryMark is in the middle of the names of unfinished files:
// .<final name>.tmp-<random>.
const temporaryMark = ".tmp-"

// WriteFile makes path a file with the content that write produces. The
// content goes to a temporary file in the same folder, which takes the name
// path only when it is complete and on the disk: whoever opens path finds the
// former file, or none, until then. If anything fails, write included, the
// former file stays and the temporary one is removed. The folder is made if
// it is not there.
func WriteFile(path string, write func(io.Writer) error) error {
	p, err := createPending(path)
	if err != nil {
		return err
	}
	defer p.abort()
	if err := write(p); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return p.commit()
}

// RemoveTemporary removes what killed processes left of unfinished files in
// dir and the folders below, if it was last written longer than olderThan ago
// (a younger file may still be in the making), and returns how many it removed.
func RemoveTemporary(dir string, olderThan time.Duration) (removed int, err error) {
	err = walkFiles(dir, func(path string, info fs.FileInfo) error {
		if !isTemporary(info.Name()) || time.Since(info.ModTime()) <= olderThan {
			return nil
		}
		if err := os.Remove(path); err != nil {
			return ignoreMissing(err)
		}
		removed++
		return nil
	})
	return removed, err
}

func isTemporary(name string) bool {
	return strings.HasPrefix(name, ".") && strings.Contains(name, temporaryMark)
}

// walkFiles visits the regular files in dir and below, in lexical order. Files
// and folders that vanish meanwhile are passed over, dir itself included.
func walkFiles(dir string, visit func(path string, info fs.FileInfo) error) error {
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return ignoreMissing(err)
		}
		if !entry.Type().IsRegular() {
			return nil
		}
		info, err := entry.Info()
		if err != nil {
			return ignoreMissing(err)
		}
		return visit(path, info)
	})
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// A pending file is one that has no name yet that anybody would look for.
// Exactly one of commit and abort takes effect, whichever comes first.
type pending struct {
	file *os.File
	buf  *bufio.Writer
	path string // the final name
	done bool
}

func createPending(path string) (*pending, error) {
	dir, name := filepath.Split(path)
	if name == "" {
		return nil, fmt.Errorf("write %q: want the name of a file, found that of a folder", path)
	}
	if err := os.MkdirAll(filepath.Clean(dir), 0o777); err != nil {
		return nil, err
	}
	// Not os.CreateTemp: its files are private to the user, whatever the umask.
	temporary := filepath.Join(dir, "."+name+temporaryMark+rand.Text())
	f, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, err
	}
	return &pending{file: f, buf: bufio.NewWriterSize(f, 1<<16), path: path}, nil
}

func (p *pending) Write(b []byte) (int, error) { return p.buf.Write(b) }

// temporary returns the name that the file has until commit.
func (p *pending) temporary() string { return p.file.Name() }

// commit brings the file to the disk and gives it its final name.
func (p *pending) commit() error {
	if p.done {
		return fmt.Errorf("write %s: %w", p.path, os.ErrClosed)
	}
	p.done = true
	err := p.buf.Flush()
	if err == nil {
		err = p.file.Sync()
	}
	err = errors.Join(err, p.file.Close())
	if err == nil {
		err = os.Rename(p.temporary(), p.path)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("write %s: %w", p.path, err), ignoreMissing(os.Remove(p.temporary())))
	}
	return syncFolder(filepath.Dir(p.path))
}

// abort removes the file if it was not committed. Its errors are of no
// interest to anybody: what is left over is recognised by its name.
func (p *pending) abort() {
	if p.done {
		return
	}
	p.done = true
	_ = p.file.Close()
	_ = os.Remove(p.temporary())
}

// syncFolder brings a rename in dir to the disk.
func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = d.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		err = nil // some network file systems cannot, and need not
	}
	return errors.Join(err, d.Close())
}
