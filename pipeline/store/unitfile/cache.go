package unitfile

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"

	"descbench/eval/matching"
	"descbench/pipeline/files/npz"
	"descbench/pipeline/store"
)

// A Cache stores descriptor matrices, detected keypoints and the errors of estimates, which are
// expensive to compute, under keys that determine their content. Any number of
// processes may share one folder: entries with the same key are identical but for the
// time that computing them took.
type Cache struct {
	dir string
}

// OpenCache returns the cache in the folder dir. It creates the folder if
// necessary.
func OpenCache(dir string) (*Cache, error) {
	if err := store.MakeFolder(dir); err != nil {
		return nil, fmt.Errorf("feature cache (--cache, DESCBENCH_CACHE): %w", err)
	}
	return &Cache{dir: dir}, nil
}

// Key returns the SHA-256 of parts in hexadecimal. It hashes parts with their
// lengths, so that ("ab", "c") and ("a", "bc") differ.
func Key(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		// hash.Hash never returns an error.
		_, _ = h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(p))))
		_, _ = h.Write([]byte(p))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Estimates is the format of the errors of estimates, without the name of their estimator.
var Estimates = Format[[]matching.EstimateError]{
	kind: "estimates",
	members: func(errors []matching.EstimateError) ([]npz.Member, error) {
		var v []float64
		for _, e := range errors {
			v = append(v, e.Px, e.Rotation, e.Translation)
		}
		return []npz.Member{npz.Of(v, len(errors), 3).Member("errors")}, nil
	},
	read: func(a *npz.Archive) (errors []matching.EstimateError, err error) {
		v, err := readArray[float64](a, "errors", 2)
		if err == nil && len(v)%3 != 0 {
			err = fmt.Errorf("errors: %d numbers, want 3 for each estimate", len(v))
		}
		if err != nil {
			return nil, err
		}
		for e := range slices.Chunk(v, 3) {
			errors = append(errors, matching.EstimateError{Px: e[0], Rotation: e[1], Translation: e[2]})
		}
		return errors, nil
	},
}

// path returns the path of an entry. Entries are spread over 256 folders because
// some file systems are slow with many files in one folder.
func (c *Cache) path(kind, key string) string {
	return filepath.Join(c.dir, kind, key[:2], key+".npz")
}

func (c *Cache) entry(kind, key string) container {
	return container{store.Root(c.dir), c.path(kind, key), kind, key}
}
