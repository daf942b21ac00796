package unitfile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"

	"descbench/pipeline/files/npz"
)

// A Format says which members of an archive a value is kept as: in a unit, or in an entry of the
// cache, which also has the time that computing the value took.
type Format[T any] struct {
	kind    string // of entries of the cache, and the name of their folder; "": only for units
	members func(T) ([]npz.Member, error)
	read    func(*npz.Archive) (T, error)
}

// Content returns the content of a unit with the value.
func (f Format[T]) Content(v T) ([]byte, error) {
	members, err := f.members(v)
	if err != nil {
		return nil, err
	}
	return archived(members, "")
}

// Value returns the value of a unit with the content.
func (f Format[T]) Value(content []byte) (v T, err error) {
	err = open(bytes.NewReader(content), int64(len(content)), func(a *npz.Archive) (err error) {
		v, err = f.read(a)
		return err
	})
	return v, err
}

// InCache reports whether there is an entry, usable or not.
func (f Format[T]) InCache(c *Cache, key string) bool {
	_, err := os.Stat(c.path(f.kind, key))
	return err == nil
}

// Cached returns the value stored under key, and the seconds that computing it took. The error
// matches fs.ErrNotExist if there is no entry, and is Unusable if there is one that Put is to replace.
func (f Format[T]) Cached(c *Cache, key string) (v T, seconds float64, err error) {
	err = c.entry(f.kind, key).read(true, func(a *npz.Archive) error {
		took, err := readArray[float32](a, "seconds", 0)
		if err == nil {
			seconds = float64(took[0])
			v, err = f.read(a)
		}
		return err
	})
	if err != nil {
		var none T
		return none, 0, err
	}
	// Prune needs the time of last use. A read-only cache cannot record it, but
	// cannot be pruned either.
	_ = unix.Utimes(c.path(f.kind, key), nil) // now, which also others than the owner may set
	return v, seconds, nil
}

// Put stores a value, which took the given time, under key.
func (f Format[T]) Put(c *Cache, key string, v T, seconds float64) error {
	members, err := f.members(v)
	if err != nil {
		return fmt.Errorf("cache %s: %w", f.kind, err)
	}
	members = append(members, npz.Of([]float32{float32(seconds)}).Member("seconds"))
	entry := c.entry(f.kind, key)
	err = entry.write(members, entry.root.WriteBytes)
	if errors.Is(err, fs.ErrNotExist) { // the folder was removed or moved away while the file was written
		err = entry.write(members, entry.root.WriteBytes)
	}
	return err
}
