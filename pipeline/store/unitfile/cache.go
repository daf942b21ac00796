package unitfile

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"

	"descbench/descriptors"
	"descbench/eval/matching"
	"descbench/keypoints"
	"descbench/pipeline/files/npz"
	"descbench/pipeline/store"
)

// ErrNotCached is wrapped by errors about keys for which the cache has no
// usable entry. If there is an unusable one, the error also says why.
var ErrNotCached = errors.New("not in the cache")

// A Cache stores descriptor matrices, detected keypoints and the errors of estimates, which are
// expensive to compute, under keys that determine their content. Any number of
// processes may share one folder: entries with the same key are identical but for the
// time that computing them took.
type Cache struct {
	dir string
}

// The kinds of entries, which are also the names of their folders.
const (
	kindFeatures   = "features"
	kindDetections = "detections"
	kindEstimates  = "estimates"
)

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

// HasFeatures reports whether there is an entry, usable or not.
func (c *Cache) HasFeatures(key string) bool {
	_, err := os.Stat(c.path(kindFeatures, key))
	return err == nil
}

// Features returns the matrix stored under key, and the seconds that computing it
// took. The error wraps ErrNotCached if there is no usable entry,
// and is also Unusable if there is an entry. PutFeatures replaces it.
func (c *Cache) Features(key string) (m *descriptors.Matrix, seconds float64, err error) {
	err = c.get(kindFeatures, key, func(a *npz.Archive) (err error) {
		if m, err = readMatrix(a); err == nil {
			seconds, err = readSeconds(a)
		}
		return err
	})
	if err != nil {
		return nil, 0, err
	}
	return m, seconds, nil
}

// PutFeatures stores m, which took the given time, under key.
func (c *Cache) PutFeatures(key string, m *descriptors.Matrix, seconds float64) error {
	members, err := matrixMembers(m)
	if err != nil {
		return fmt.Errorf("cache features: %w", err)
	}
	return c.put(kindFeatures, key, append(members, secondsMember(seconds)))
}

// Detections returns the keypoints stored under key, and the seconds that detecting
// them took. Its errors are like those of Features.
func (c *Cache) Detections(key string) (s keypoints.Set, seconds float64, err error) {
	err = c.get(kindDetections, key, func(a *npz.Archive) (err error) {
		if s, err = readSet(a, ""); err == nil {
			seconds, err = readSeconds(a)
		}
		return err
	})
	if err != nil {
		return keypoints.Set{}, 0, err
	}
	return s, seconds, nil
}

// PutDetections stores s, which took the given time, under key.
func (c *Cache) PutDetections(key string, s keypoints.Set, seconds float64) error {
	members, err := setMembers("", s)
	if err != nil {
		return fmt.Errorf("cache detections: %w", err)
	}
	return c.put(kindDetections, key, append(members, secondsMember(seconds)))
}

// Estimates returns the errors stored under key, of which there must be n, without the name of their
// estimator, and the seconds that computing them took. Its errors are like those of Features.
func (c *Cache) Estimates(key string, n int) (errors []matching.EstimateError, seconds float64, err error) {
	err = c.get(kindEstimates, key, func(a *npz.Archive) error {
		v, err := readArray[float64](a, "errors", 2)
		if err == nil && len(v) != 3*n {
			err = fmt.Errorf("errors: %d numbers, want %d", len(v), 3*n)
		}
		if err != nil {
			return err
		}
		for e := range slices.Chunk(v, 3) {
			errors = append(errors, matching.EstimateError{Px: e[0], Rotation: e[1], Translation: e[2]})
		}
		seconds, err = readSeconds(a)
		return err
	})
	return errors, seconds, err
}

// PutEstimates stores errors, which took the given time, under key.
func (c *Cache) PutEstimates(key string, errors []matching.EstimateError, seconds float64) error {
	var v []float64
	for _, e := range errors {
		v = append(v, e.Px, e.Rotation, e.Translation)
	}
	return c.put(kindEstimates, key, []npz.Member{npz.Of(v, len(errors), 3).Member("errors"), secondsMember(seconds)})
}

// secondsMember returns the array of the time that computing an entry took.
func secondsMember(seconds float64) npz.Member {
	return npz.Of([]float32{float32(seconds)}).Member("seconds")
}

func readSeconds(a *npz.Archive) (float64, error) {
	seconds, err := readArray[float32](a, "seconds", 0)
	if err != nil {
		return 0, err
	}
	return float64(seconds[0]), nil
}

// path returns the path of an entry. Entries are spread over 256 folders because
// some file systems are slow with many files in one folder.
func (c *Cache) path(kind, key string) string {
	return filepath.Join(c.dir, kind, key[:2], key+".npz")
}

func (c *Cache) entry(kind, key string) container {
	return container{store.Root(c.dir), c.path(kind, key), kind, key}
}

func isKey(s string) bool {
	if len(s) != hex.EncodedLen(sha256.Size) {
		return false
	}
	for _, r := range s {
		if (r < '0' || r > '9') && (r < 'a' || r > 'f') {
			return false
		}
	}
	return true
}

func (c *Cache) get(kind, key string, read func(*npz.Archive) error) error {
	path := c.path(kind, key)
	err := c.entry(kind, key).read(true, read)
	switch {
	case errors.Is(err, fs.ErrNotExist), store.Unusable(err):
		return fmt.Errorf("%w: %w", ErrNotCached, err)
	case err != nil:
		return err
	}
	// Prune needs the time of last use. A read-only cache cannot record it, but
	// cannot be pruned either.
	_ = unix.Utimes(path, nil) // now, which also others than the owner may set
	return nil
}

func (c *Cache) put(kind, key string, members []npz.Member) error {
	entry := c.entry(kind, key)
	err := entry.write(members, entry.root.WriteBytes)
	if errors.Is(err, fs.ErrNotExist) { // the folder was removed or moved away while the file was written
		err = entry.write(members, entry.root.WriteBytes)
	}
	return err
}
