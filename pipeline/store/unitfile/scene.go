package unitfile

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"descbench/pipeline/files/npz"
	"descbench/pipeline/store"
)

// A Listing is what a scene's container has: the names of its units, and the content of those whose
// names end in ".json".
type Listing struct {
	Names []string
	JSON  map[string][]byte
	info  os.FileInfo
	check func() error // Check, once
}

// ofScene returns the container of a scene at a path.
func ofScene(path string) container {
	return container{store.Root(filepath.Dir(path)), path, "units", "-"}
}

// WriteScene writes a container with units, given by their names. It never replaces a file: if path
// exists, the error matches fs.ErrExist.
func WriteScene(root store.Root, path string, units map[string][]byte) error {
	var members []npz.Member
	for _, name := range slices.Sorted(maps.Keys(units)) {
		members = append(members, npz.Member{Name: name, Content: units[name]})
	}
	return ofScene(path).write(members, root.CreateFile)
}

// Listings keeps the Listing of each container that was listed. The zero value has none.
type Listings struct{ byPath sync.Map }

// List lists the units of a container. The Listing is the same while the file is. Except for those in
// JSON, it reads none.
func (k *Listings) List(path string) (*Listing, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if known, ok := k.byPath.Load(path); ok {
		if l := known.(*Listing); os.SameFile(l.info, info) && l.info.ModTime().Equal(info.ModTime()) && l.info.Size() == info.Size() {
			return l, nil
		}
	}
	l := &Listing{JSON: make(map[string][]byte), info: info, check: sync.OnceValue(func() error { return Check(path) })}
	err = ofScene(path).read(false, func(a *npz.Archive) (err error) {
		l.Names = a.Unread()
		for _, name := range l.Names {
			if strings.HasSuffix(name, ".json") && err == nil {
				l.JSON[name], err = a.Read(name)
			}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	k.byPath.Store(path, l)
	return l, nil
}

// ReadUnit reads a unit of a container, and before the first one all bytes of the container. Errors about the
// content are Unusable.
func ReadUnit[T any](k *Listings, path, name string, f Format[T]) (unit T, err error) {
	l, err := k.List(path)
	if err == nil {
		err = l.check()
	}
	if err != nil {
		return unit, err
	}
	err = ofScene(path).read(false, func(a *npz.Archive) error {
		b, err := a.Read(name)
		if err == nil {
			unit, err = f.Value(b)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	})
	return unit, err
}

// Check reads all bytes of a scene's container. Errors about the content are Unusable.
func Check(path string) error {
	return ofScene(path).read(true, func(*npz.Archive) error { return nil })
}
