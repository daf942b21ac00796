package store

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"descbench/pipeline/files"
)

// A Root is a folder with everything below it, such as a run folder, which may come from
// somebody else. Its methods take paths that begin with the folder. They write and remove
// only below it: neither ".." nor a link in a path leads out.
type Root string

// WriteFile atomically writes the file path with the content that write produces.
// The content goes to a temporary file in the same folder, which is renamed to
// path once it is complete and on disk. Until then, readers see the previous file
// or no file. If write or anything else fails, the previous file stays and the
// temporary one is removed. WriteFile creates the folder if it does not exist.
func (r Root) WriteFile(path string, write func(io.Writer) error) error {
	p, err := r.Create(path)
	if err != nil {
		return err
	}
	defer p.Abort()
	return p.Commit(write(p))
}

// WriteBytes is like WriteFile for content in memory.
func (r Root) WriteBytes(path string, content []byte) error {
	return r.WriteFile(path, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}

// CreateFile is like WriteBytes but never replaces a file. If path exists, even if
// another process creates it at the same moment, the error matches fs.ErrExist.
func (r Root) CreateFile(path string, content []byte) error {
	p, err := r.Create(path)
	if err != nil {
		return err
	}
	p.rename = renameNew
	_, err = p.Write(content)
	return p.Commit(err)
}

// WriteFile is like that of a Root for a file that the user named, whose folder is the
// root.
func WriteFile(path string, write func(io.Writer) error) error {
	return Root(filepath.Dir(path)).WriteFile(path, write)
}

// WriteBytes is like WriteFile for content in memory.
func WriteBytes(path string, content []byte) error {
	return Root(filepath.Dir(path)).WriteBytes(path, content)
}

// WriteOwn is like WriteBytes, but replaces only what Replaceable allows.
func WriteOwn(path string, content []byte, mark string) error {
	if err := Replaceable(path, content, mark); err != nil {
		return err
	}
	return WriteBytes(path, content)
}

// maxOwn limits what Replaceable reads, in bytes.
const maxOwn = 1 << 30

// Replaceable returns a *Fault if a file exists that the user would lose: one with other
// content and without the mark that a command puts into its files; "" for a command that
// has none.
func Replaceable(path string, content []byte, mark string) error {
	found, err := files.Read(path, maxOwn)
	switch {
	case err != nil:
		return IgnoreMissing(err)
	case bytes.Equal(found, content), mark != "" && bytes.Contains(found, []byte(mark)):
		return nil
	}
	return Faultf(path, "exists with other content, which would be lost; choose another place, or remove it")
}

// Remove removes a file, a link, or an empty folder. A missing one is no error.
func (r Root) Remove(path string) error {
	return r.in(path, func(root *os.Root, name string) error { return root.Remove(name) })
}

// in calls do with the opened root and the name of a path in it. A missing file is no
// error.
func (r Root) in(path string, do func(root *os.Root, name string) error) error {
	root, name, err := r.open(path)
	if err != nil {
		return IgnoreMissing(err)
	}
	defer root.Close()
	return IgnoreMissing(r.explained(root, name, do(root, name)))
}

// open returns the opened root and the name of a path in it.
func (r Root) open(path string) (root *os.Root, name string, err error) {
	if name, err = filepath.Rel(string(r), path); err != nil || !filepath.IsLocal(name) {
		return nil, "", Faultf(path, "is not in the folder %s", string(r))
	}
	root, err = os.OpenRoot(string(r))
	return root, name, err
}

// explained returns err, or a better one if a link keeps a file of the root from being
// written.
func (r Root) explained(root *os.Root, name string, err error) error {
	for at := name; err != nil && at != "."; at = filepath.Dir(at) {
		if info, bad := root.Lstat(at); bad != nil || info.Mode()&fs.ModeSymlink == 0 {
			continue
		}
		if _, bad := root.Stat(at); bad != nil {
			return Faultf(filepath.Join(string(r), at), "is a link that leaves the folder, and nothing is written through it; put a folder in its place, or write to another one")
		}
	}
	return err
}

// renameNew renames a file unless the new name exists. A hard link decides
// between several processes, on network file systems too. On a file system
// without hard links, two processes that rename at the same moment may both
// succeed.
func renameNew(root *os.Root, from, to string) error {
	err := root.Link(from, to)
	if err == nil {
		_ = root.Remove(from) // a leftover file is recognised by its name
		return nil
	}
	if _, there := root.Lstat(to); errors.Is(err, fs.ErrExist) || there == nil {
		return fmt.Errorf("%s: %w", to, fs.ErrExist)
	}
	return root.Rename(from, to)
}

// temporaryMark is part of the names of unfinished files:
// .<final name>.tmp-<place>.<process id>.<its start>-<random>.
const temporaryMark = ".tmp-"

// abandoned is the age of an unfinished file of another machine after which its process
// counts as dead. Records of large runs are written for hours, but never without a pause
// of less than this.
const abandoned = 24 * time.Hour

// temporaryName returns a name for the unfinished file of a final name.
func temporaryName(name string) string {
	p, _ := thisProcess() // without a host name, the file is removed when it is old
	return fmt.Sprintf(".%s%s%.8s.%d.%s-%.8s", name, temporaryMark, SHA256([]byte(p.place)), p.pid, p.start, rand.Text())
}

// dead reports whether the process that wrote an unfinished file has ended. It is told
// for processes of this machine; others have ended if the file is old.
func dead(name string, modified time.Time) bool {
	me, err := thisProcess()
	_, of, _ := strings.Cut(name, temporaryMark)
	of, _, _ = strings.Cut(of, "-")
	if fields := strings.Split(of, "."); err == nil && len(fields) == 3 && fields[0] == SHA256([]byte(me.place))[:8] {
		pid, err := strconv.Atoi(fields[1])
		return err == nil && process{me.place, pid, fields[2]}.gone()
	}
	return time.Since(modified) > abandoned
}

// RemoveTemporary removes the unfinished files that killed processes left in dir and
// the folders below. It keeps those that another process may still be writing.
func RemoveTemporary(dir string) error {
	return WalkFiles(dir, func(path string, info fs.FileInfo) error {
		if !leftover(info) {
			return nil
		}
		return IgnoreMissing(os.Remove(path))
	})
}

// leftover reports whether a file or folder is unfinished and will stay so.
func leftover(file fs.FileInfo) bool {
	return (file.Mode().IsRegular() || file.IsDir()) && IsTemporary(file.Name()) && dead(file.Name(), file.ModTime())
}

// IsTemporary reports whether a file name is that of an unfinished file.
func IsTemporary(name string) bool {
	return strings.HasPrefix(name, ".") && strings.Contains(name, temporaryMark)
}

// WalkFiles visits the regular files in dir and below, in lexical order. It skips
// files and folders that disappear in the meantime, including dir itself. It goes on
// after a folder that cannot be read, and returns an error about the first.
func WalkFiles(dir string, visit func(path string, info fs.FileInfo) error) error {
	var unread error
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			var info fs.FileInfo
			if info, err = entry.Info(); err == nil {
				return visit(path, info)
			}
		}
		if IgnoreMissing(err) == nil {
			return nil
		}
		unread = cmp.Or(unread, err)
		return fs.SkipDir
	})
	return cmp.Or(err, unread)
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
	file            pendingFile
	buf             *bufio.Writer
	root            *os.Root
	path            string // final
	temporary, name string // in the root
	done            bool
	rename          func(root *os.Root, from, to string) error
	syncFolder      func(root *os.Root, dir string) error
}

// A pendingFile is what a Pending needs of its file.
type pendingFile interface {
	io.WriteCloser
	Sync() error
	Stat() (fs.FileInfo, error)
}

// Create starts writing the file path, as WriteFile does.
func Create(path string) (*Pending, error) { return Root(filepath.Dir(path)).Create(path) }

// cleared are the folders in which this process has written.
var cleared sync.Map

// clearOnce removes from a folder, before this process first writes there, the unfinished
// files and folders that killed processes left.
func (r Root) clearOnce(root *os.Root, dir string) {
	if _, done := cleared.LoadOrStore(filepath.Join(string(r), dir), true); done {
		return
	}
	entries, _ := fs.ReadDir(root.FS(), filepath.ToSlash(dir)) // what cannot be read stays
	for _, e := range entries {
		if info, err := e.Info(); err == nil && leftover(info) {
			_ = root.RemoveAll(filepath.Join(dir, e.Name()))
		}
	}
}

// Create starts writing the file path, as WriteFile does.
func (r Root) Create(path string) (_ *Pending, err error) {
	if _, name := filepath.Split(path); name == "" {
		return nil, fmt.Errorf("write %q: want a file name, found a folder", path)
	}
	if err := MakeFolder(string(r)); err != nil {
		return nil, err
	}
	p := &Pending{path: path, rename: (*os.Root).Rename, syncFolder: syncFolder}
	if p.root, p.name, err = r.open(path); err != nil {
		return nil, err
	}
	dir, name := filepath.Split(p.name)
	p.temporary = filepath.Join(dir, temporaryName(name))
	if err = p.root.MkdirAll(filepath.Clean(dir), 0o777); err == nil {
		r.clearOnce(p.root, filepath.Clean(dir))
		// Not os.CreateTemp, whose files are private to the user whatever the umask.
		p.file, err = p.root.OpenFile(p.temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	}
	if err != nil {
		if at := (*fs.PathError)(nil); errors.As(err, &at) { // of a folder of the root, too
			at.Path = p.temporary
		}
		return nil, cmp.Or(r.explained(p.root, filepath.Dir(p.name), p.Failure(err)), p.root.Close())
	}
	p.buf = bufio.NewWriterSize(p.file, 1<<16)
	return p, nil
}

func (p *Pending) Write(b []byte) (int, error) { return p.buf.Write(b) }

// Temporary returns the path that the file has until Commit.
func (p *Pending) Temporary() string {
	return filepath.Join(filepath.Dir(p.path), filepath.Base(p.temporary))
}

// Failure returns an error about the file under its final name, and without its temporary
// one.
func (p *Pending) Failure(err error) error {
	var at *fs.PathError
	if !errors.As(err, &at) {
		return fmt.Errorf("write %s: %w", p.path, err)
	} else if filepath.Base(at.Path) == filepath.Base(p.temporary) {
		err = at.Err
	}
	return &fs.PathError{Op: "write", Path: p.path, Err: err}
}

// Commit flushes the file to disk and gives it its final name, unless writing it ended with an
// error: then it returns that as Failure does, and there is no file.
func (p *Pending) Commit(err error) error {
	if p.done {
		return fmt.Errorf("write %s: %w", p.path, os.ErrClosed)
	}
	p.done = true
	defer p.root.Close()
	if err == nil {
		err = p.buf.Flush()
	}
	if err == nil {
		err = p.file.Sync()
	}
	err = cmp.Or(err, p.file.Close())
	if err == nil {
		err = p.rename(p.root, p.temporary, p.name)
	}
	if err != nil {
		_ = p.root.Remove(p.temporary) // as in Abort
		return p.Failure(err)
	}
	return p.syncFolder(p.root, filepath.Dir(p.name))
}

// Abort removes the file if it was not committed. It ignores errors: a leftover
// file is recognised by its name and removed later.
func (p *Pending) Abort() {
	if p.done {
		return
	}
	p.done = true
	_ = p.file.Close()
	_ = p.root.Remove(p.temporary)
	_ = p.root.Close()
}

// syncFolder flushes a rename in a folder of a root to disk.
func syncFolder(root *os.Root, dir string) error {
	d, err := root.Open(dir)
	if err != nil {
		return err
	}
	err = d.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		err = nil // some network file systems do not support this and do not need it
	}
	return cmp.Or(err, d.Close())
}
