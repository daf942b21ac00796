package unitfile

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"descbench/eval/spelling"
	"descbench/pipeline/store"
)

// Pruned is what Prune removed and left.
type Pruned struct {
	Removed      int // files
	RemovedBytes int64
	Files        int // that are left
	Bytes        int64
}

// entryName matches the names of entries. Any other file in their folders stays.
var entryName = regexp.MustCompile(`^[0-9a-f]{64}\.npz$`)

// Prune removes the least recently used entries until the rest has at most maxBytes.
// It also removes unfinished files that killed processes left. It goes on
// after files that it cannot remove, and returns an error about them.
func (c *Cache) Prune(maxBytes int64) (p Pruned, err error) {
	type entry struct {
		path string
		fs.FileInfo
	}
	var entries []entry
	unfinished := store.RemoveTemporary(c.dir)
	var unread error
	for _, kind := range []string{Detections.kind, Features.kind, Estimates.kind} {
		unread = cmp.Or(unread, store.WalkFiles(filepath.Join(c.dir, kind), func(path string, info fs.FileInfo) error {
			if entryName.MatchString(info.Name()) {
				entries = append(entries, entry{path, info})
				p.Files++
				p.Bytes += info.Size()
			}
			return nil
		}))
	}
	slices.SortFunc(entries, func(a, b entry) int {
		return cmp.Or(a.ModTime().Compare(b.ModTime()), cmp.Compare(a.path, b.path))
	})
	stuck := 0
	for _, e := range entries {
		if p.Bytes <= maxBytes {
			break // the others were used later
		}
		if failed := store.IgnoreMissing(os.Remove(e.path)); failed != nil {
			stuck, err = stuck+1, failed
			continue
		}
		p.Removed++
		p.RemovedBytes += e.Size()
		p.Files--
		p.Bytes -= e.Size()
	}
	if err != nil {
		err = fmt.Errorf("%s could not be removed: %w", spelling.Count(stuck, "file"), err)
	}
	return p, cmp.Or(err, unfinished, unread)
}
