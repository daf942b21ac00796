package unitfile

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"descbench/eval/spelling"
	"descbench/files/npz"
	"descbench/pipeline/store"
)

// A CacheEntry is one file of a cache.
type CacheEntry struct {
	Kind  string    `json:"kind"` // one of CacheKinds
	Key   string    `json:"key"`
	Bytes int64     `json:"bytes"`
	Used  time.Time `json:"used"` // last written or read
}

// CacheKinds returns the kinds of entries in the order in which List returns
// them.
func CacheKinds() []string { return []string{kindDetections, kindFeatures} }

// List returns the entries sorted by kind and key, without reading them, and an error about
// the folders that cannot be read.
func (c *Cache) List() (entries []CacheEntry, err error) {
	for _, kind := range CacheKinds() {
		err = cmp.Or(err, store.WalkFiles(filepath.Join(c.dir, kind), func(_ string, info fs.FileInfo) error {
			// Any other file in the folder must be neither listed nor removed.
			if key, ok := strings.CutSuffix(info.Name(), ".npz"); ok && isKey(key) {
				entries = append(entries, CacheEntry{Kind: kind, Key: key, Bytes: info.Size(), Used: info.ModTime()})
			}
			return nil
		}))
	}
	return entries, err
}

// Verify reads every entry and reports each one with its error, or nil if it is
// sound. It returns an error about the folders that cannot be read. It does not change the time of last use.
func (c *Cache) Verify(ctx context.Context, report func(CacheEntry, error)) error {
	entries, unread := c.List()
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := readContainer(UnitFile{store.Root(c.dir), c.path(e.Kind, e.Key), e.Key}, e.Kind, func(a *npz.Archive) error {
			if e.Kind == kindFeatures {
				_, err := readMatrix(a)
				return err
			}
			_, err := readSet(a, "")
			return err
		})
		if !errors.Is(err, fs.ErrNotExist) { // else it was pruned meanwhile
			report(e, err)
		}
	}
	return unread
}

// Prune removes the least recently used entries until the rest has at most maxBytes,
// and returns them. It also removes unfinished files that killed processes left. It goes on
// after files that it cannot remove, and returns an error about them.
func (c *Cache) Prune(maxBytes int64) (removed []CacheEntry, err error) {
	_, unfinished := store.RemoveTemporary(c.dir)
	entries, unread := c.List()
	slices.SortStableFunc(entries, func(a, b CacheEntry) int {
		return cmp.Or(a.Used.Compare(b.Used), cmp.Compare(a.Key, b.Key))
	})
	var bytes int64
	var stuck []string // folders
	for _, e := range entries {
		bytes += e.Bytes
	}
	for _, e := range entries {
		if bytes <= maxBytes {
			break // the others were used later
		}
		path := c.path(e.Kind, e.Key)
		if failed := store.IgnoreMissing(os.Remove(path)); failed != nil {
			stuck, err = append(stuck, filepath.Dir(path)), failed
			continue
		}
		bytes -= e.Bytes
		removed = append(removed, e)
	}
	if err != nil {
		err = fmt.Errorf("%s could not be removed: %w", spelling.Count(len(stuck), "file"), err)
	}
	if errors.Is(err, fs.ErrPermission) {
		err = fmt.Errorf("%v; %s", err, store.Permit(c.dir, stuck...)) // all of them, not the first
	}
	return removed, cmp.Or(err, unfinished, unread)
}
