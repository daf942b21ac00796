package parts

import (
	"cmp"
	"errors"
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

// acquire takes the lock: alone if no other process has it, and shared otherwise.
func acquire(path string) (*lock, error) {
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
		if !l.tryAlone() {
			if err := l.share(); err != nil {
				return nil, cmp.Or(err, file.Close())
			}
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
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.ENOLCK) || errors.Is(err, syscall.EINVAL) {
		return nil
	}
	return err
}

func (l *lock) release() error { return l.file.Close() }

func flock(f *os.File, how int) error {
	for {
		if err := syscall.Flock(int(f.Fd()), how); err != syscall.EINTR {
			return err
		}
	}
}
