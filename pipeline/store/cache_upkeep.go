package store

import (
	"cmp"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A CacheEntry is one file of a cache.
type CacheEntry struct {
	Kind  string    `json:"kind"` // "features" or "detections"
	Key   string    `json:"key"`
	Bytes int64     `json:"bytes"`
	Used  time.Time `json:"used"` // last written or read
}

// List returns the entries by kind and key.
func (c *Cache) List() ([]CacheEntry, error) {
	var entries []CacheEntry
	for _, kind := range []string{kindDetections, kindFeatures} {
		err := walkFiles(filepath.Join(c.dir, kind), func(path string, info fs.FileInfo) error {
			// Anything else in the folder is not ours to list, or to remove.
			key, ok := strings.CutSuffix(info.Name(), ".npz")
			if ok && isKey(key) {
				entries = append(entries, CacheEntry{Kind: kind, Key: key, Bytes: info.Size(), Used: info.ModTime()})
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return entries, nil
}

// Verify reads every entry and reports each, with nil or what is wrong with
// it. It does not count as use.
func (c *Cache) Verify(ctx context.Context, report func(CacheEntry, error)) error {
	entries, err := c.List()
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		path, err := c.path(e.Kind, e.Key)
		if err != nil {
			return err
		}
		report(e, readContainer(path, e.Kind, func(f *container) error {
			if e.Kind == kindFeatures {
				_, err := readMatrix(f)
				return err
			}
			_, err := readSet(f, "")
			return err
		}))
	}
	return nil
}

// Prune removes entries not used for longer than olderThan, and then those
// unused for the longest time until the rest has at most maxBytes. A limit of
// 0 is none. It returns what it removed. Unfinished files that a killed
// process left more than a day ago are removed too.
func (c *Cache) Prune(olderThan time.Duration, maxBytes int64) (removed []CacheEntry, err error) {
	if _, err := RemoveTemporary(c.dir, 24*time.Hour); err != nil {
		return nil, err
	}
	entries, err := c.List()
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
		path, err := c.path(e.Kind, e.Key)
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
