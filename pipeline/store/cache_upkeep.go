package store

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"descbench/keypoints/npz"
)

// A CacheEntry is one file of a cache.
type CacheEntry struct {
	Kind  string    `json:"kind"` // one of CacheKinds
	Key   string    `json:"key"`
	Bytes int64     `json:"bytes"`
	Used  time.Time `json:"used"` // last written or read

	// Set describes a stored keypoint set. It is nil for other kinds and for
	// unreadable files.
	Set *CachedSet `json:"set,omitempty"`
}

// A CachedSet describes the content of a keypoint file.
type CachedSet struct {
	Recipe    []string `json:"recipe"`
	Scenes    int      `json:"scenes"`
	Keypoints int      `json:"keypoints"`
}

// CacheKinds returns the kinds of entries in the order in which List returns
// them. Entries of kind keypoints are stored sets, in
// <dir>/keypoints/<digest>.parquet.
func CacheKinds() []string { return []string{kindDetections, kindFeatures, KindKeypoints} }

const (
	// KindKeypoints is the kind of stored sets.
	KindKeypoints = "keypoints"
	// Unfinished is the prefix of the temporary folders next to the stored sets
	// in which sets are computed.
	Unfinished = ".computing-"
)

// file returns the path of an entry.
func (c *Cache) file(e CacheEntry) (string, error) {
	if e.Kind == KindKeypoints {
		return filepath.Join(c.dir, KindKeypoints, e.Key+".parquet"), nil
	}
	return c.path(e.Kind, e.Key)
}

// List returns the entries sorted by kind and key. It reads the headers of stored
// sets.
func (c *Cache) List() ([]CacheEntry, error) {
	entries, err := c.entries()
	if err != nil {
		return nil, err
	}
	for i, e := range entries {
		if e.Kind != KindKeypoints {
			continue
		}
		if entries[i].Set, err = c.describeSet(e); err != nil {
			return nil, err
		}
	}
	return entries, nil
}

// describeSet returns nil for an unreadable file. Verify reports its fault.
func (c *Cache) describeSet(e CacheEntry) (*CachedSet, error) {
	path, err := c.file(e)
	if err != nil {
		return nil, err
	}
	f, err := OpenKeypointFile(path)
	if err != nil {
		return nil, nil
	}
	defer f.Close()
	return &CachedSet{Recipe: f.Recipe, Scenes: len(f.Scenes), Keypoints: f.Keypoints()}, nil
}

// entries returns the entries sorted by kind and key, without reading them.
func (c *Cache) entries() ([]CacheEntry, error) {
	var entries []CacheEntry
	add := func(kind, extension string, info fs.FileInfo) {
		// Any other file in the folder must be neither listed nor removed.
		key, ok := strings.CutSuffix(info.Name(), extension)
		if ok && isKey(key) {
			entries = append(entries, CacheEntry{Kind: kind, Key: key, Bytes: info.Size(), Used: info.ModTime()})
		}
	}
	for _, kind := range []string{kindDetections, kindFeatures} {
		err := walkFiles(filepath.Join(c.dir, kind), func(_ string, info fs.FileInfo) error {
			add(kind, ".npz", info)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	folder := filepath.Join(c.dir, KindKeypoints)
	err := walkFiles(folder, func(path string, info fs.FileInfo) error {
		if filepath.Dir(path) == folder {
			add(KindKeypoints, ".parquet", info)
		}
		return nil
	})
	return entries, err
}

// Verify reads every entry and reports each one with its error, or nil if it is
// sound. It does not change the time of last use.
func (c *Cache) Verify(ctx context.Context, report func(CacheEntry, error)) error {
	entries, err := c.entries()
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		path, err := c.file(e)
		if err != nil {
			return err
		}
		fault := verify(ctx, e, path)
		if err := ctx.Err(); err != nil {
			return err
		}
		report(e, fault)
	}
	return nil
}

// verify checks the file of an entry.
func verify(ctx context.Context, e CacheEntry, path string) error {
	if e.Kind == KindKeypoints {
		f, err := OpenKeypointFile(path)
		if err != nil {
			return err
		}
		defer f.Close()
		return f.Verify(ctx)
	}
	return readContainer(UnitFile{path, e.Key}, e.Kind, func(a *npz.Archive) error {
		if e.Kind == kindFeatures {
			_, err := readMatrix(a)
			return err
		}
		_, err := readSet(a, "")
		return err
	})
}

// Prune removes entries that have not been used for longer than olderThan. It
// then removes the least recently used entries until the rest has at most
// maxBytes. 0 means no limit. Prune returns the removed entries. It also removes
// unfinished files that killed processes left more than a day ago.
func (c *Cache) Prune(olderThan time.Duration, maxBytes int64) (removed []CacheEntry, err error) {
	const day = 24 * time.Hour
	if err := RemoveUnfinished(filepath.Join(c.dir, KindKeypoints), day); err != nil {
		return nil, err
	}
	if _, err := RemoveTemporary(c.dir, day); err != nil {
		return nil, err
	}
	entries, err := c.entries()
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(entries, func(a, b CacheEntry) int {
		return cmp.Or(a.Used.Compare(b.Used), cmp.Compare(a.Key, b.Key))
	})
	var bytes int64
	for _, e := range entries {
		bytes += e.Bytes
	}
	for _, e := range entries {
		tooOld := olderThan > 0 && time.Since(e.Used) > olderThan
		tooMuch := maxBytes > 0 && bytes > maxBytes
		if !tooOld && !tooMuch {
			break // the others were used later
		}
		path, err := c.file(e)
		if err != nil {
			return removed, err
		}
		if err := ignoreMissing(os.Remove(path)); err != nil {
			return removed, err
		}
		bytes -= e.Bytes
		removed = append(removed, e)
	}
	return removed, nil
}

// RemoveUnfinished removes folders in dir that killed processes left: those whose
// names begin with Unfinished and that are older than olderThan.
func RemoveUnfinished(dir string, olderThan time.Duration) error {
	folders, err := os.ReadDir(dir)
	if err != nil {
		return ignoreMissing(err)
	}
	var faults []error
	for _, f := range folders {
		info, err := f.Info()
		if err == nil && f.IsDir() && strings.HasPrefix(f.Name(), Unfinished) && time.Since(info.ModTime()) > olderThan {
			faults = append(faults, os.RemoveAll(filepath.Join(dir, f.Name())))
		}
	}
	return errors.Join(faults...)
}
