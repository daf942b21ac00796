package resumable

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// A lock is held by every process that writes to a folder, and released by the
// system when the process ends. A process that holds it alone may remove what other
// processes left. On file systems without locks, nobody is alone.
type lock struct {
	file  *os.File
	alone bool
}

// Exclusive takes the lock file path, whose folder it creates, for this process
// alone. It returns an *Error about subject if another process has the lock. On file
// systems without locks it takes none. The caller may remove the file before closing
// it.
func Exclusive(path, subject string) (io.Closer, error) {
	l, err := open(path, func(l *lock) error {
		err := flock(l.file, syscall.LOCK_EX|syscall.LOCK_NB)
		if unsupported(err) {
			return nil
		}
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return inUse(subject)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return l.file, nil
}

func inUse(dir string) *Error {
	return &Error{dir, "another process is writing to this folder; wait for it, or choose another folder"}
}

// acquire takes the lock: alone if no other process has it, and shared otherwise.
func acquire(path string) (*lock, error) {
	return open(path, func(l *lock) error {
		if l.tryAlone() {
			return nil
		}
		return l.share()
	})
}

// open opens the lock file and takes the lock, again if the file was removed in the
// meantime.
func open(path string, take func(*lock) error) (*lock, error) {
	for {
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return nil, err
		}
		file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
		if errors.Is(err, fs.ErrNotExist) {
			continue // the process that ended last has just removed the folder
		}
		if err != nil {
			return nil, err
		}
		l := &lock{file: file}
		if err := take(l); err != nil {
			return nil, cmp.Or(err, file.Close())
		}
		mine, err := file.Stat()
		if err != nil {
			return nil, cmp.Or(err, file.Close())
		}
		if now, err := os.Stat(path); err == nil && os.SameFile(mine, now) {
			return l, nil
		}
		_ = file.Close() // removed in the meantime
	}
}

// tryAlone reports whether no other process has the lock, which is then held alone.
func (l *lock) tryAlone() bool {
	l.alone = flock(l.file, syscall.LOCK_EX|syscall.LOCK_NB) == nil
	return l.alone
}

// share lets other processes have the lock too. It waits for one that holds it alone.
func (l *lock) share() error {
	l.alone = false
	err := flock(l.file, syscall.LOCK_SH)
	if unsupported(err) {
		return nil
	}
	return err
}

// unsupported reports whether err says that the file system has no locks.
func unsupported(err error) bool {
	return errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.ENOLCK) || errors.Is(err, syscall.EINVAL)
}

func (l *lock) release() error { return l.file.Close() }

func flock(f *os.File, how int) error {
	for {
		if err := syscall.Flock(int(f.Fd()), how); err != syscall.EINTR {
			return err
		}
	}
}
