package dataset

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"descbench/pipeline/store"
)

// Digests of the files of scenes that were good when they were first used are kept in
// the cache, so that a file that changes later is noticed: not every format can show
// damage, and no format that a file was replaced.

// rememberedIn returns the folder in the given cache for the digests of the data set, in
// which each scene has a folder with a SHA256SUMS.
func (s *Scene) rememberedIn(cache string) (string, error) {
	root, err := filepath.Abs(s.Root)
	if err != nil {
		return "", err
	}
	return filepath.Join(cache, "datasets", filepath.Base(root)+"-"+store.SHA256([]byte(root))[:12]), nil
}

// keptIn returns the folder for the digests of the scene, given that of the data set. Images that
// are read with other cameras are another scene.
func (s *Scene) keptIn(dir string) string {
	if s.cameras == nil {
		return filepath.Join(dir, s.InFiles)
	}
	kind := "cameras-"
	if s.depthText() != nil {
		kind = "depth-"
	}
	return filepath.Join(dir, s.InFiles, kind+store.SHA256(s.cameraBytes())[:12])
}

// Remembered reports whether Remember has kept digests of the scene in a cache. It
// returns a *store.Fault that names the first file that has changed since then, or the
// digests if they are damaged.
func (s *Scene) Remembered(cache string) (bool, error) {
	dir, err := s.rememberedIn(cache)
	if err != nil {
		return false, err
	}
	kept := s.keptIn(dir)
	before, err := store.ReadSums(kept)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case errors.Is(err, fs.ErrPermission):
		return false, store.Faultf(kept, "not readable; %s", store.AskOwner)
	case err != nil:
		return false, store.Faultf(kept, "%w; remove this folder to keep new digests of the scene", err)
	}
	for _, file := range slices.Sorted(maps.Keys(s.sums)) {
		if before[file] != s.sums[file] {
			since := time.Now()
			if info, err := os.Stat(filepath.Join(kept, store.SumsFile)); err == nil {
				since = info.ModTime()
			}
			return false, store.Faultf(file, "has changed since %s, when the scene was first used: its SHA-256 is %.12s, and was %s; restore it or, if this one is right, remove %s",
				since.Format(time.DateTime), s.sums[file], cmp.Or(fmt.Sprintf("%.12s", before[file]), "not there"), dir)
		}
	}
	if len(before) > len(s.sums) {
		return false, store.Faultf(s.Name, "has %d files, but had %d when it was first used; restore them or, if these are right, remove %s", len(s.sums), len(before), dir)
	}
	return true, nil
}

// Remember keeps the digests of the files of the scene in a cache, and returns the
// folder in which it keeps those of the data set.
func (s *Scene) Remember(cache string) (string, error) {
	dir, err := s.rememberedIn(cache)
	if err == nil {
		err = store.WriteBytes(filepath.Join(s.keptIn(dir), store.SumsFile), store.FormatSums(s.sums))
	}
	return dir, err
}
