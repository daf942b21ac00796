package unitfile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"descbench/descriptors"
	"descbench/eval/matching"
	"descbench/eval/must"
	"descbench/keypoints"
	"descbench/pipeline/store"
)

func openCache(t *testing.T) *Cache {
	t.Helper()
	return must.Get(OpenCache(filepath.Join(t.TempDir(), "a", "cache")))(t)
}

func oneRow(v uint8) *descriptors.Matrix {
	return &descriptors.Matrix{Rows: 1, Dim: 2, Type: descriptors.Uint8, Uint8: []uint8{v, 7}}
}

// The digests are those of Python's hashlib:
// sha256(b"".join(len(p).to_bytes(8, "big") + p for p in parts)).
func TestKeysAreDigestsOfPartsWithLengths(t *testing.T) {
	for _, c := range []struct {
		parts []string
		want  string
	}{
		{nil, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
		{[]string{""}, "af5570f5a1810b7af78caf4bc70a660f0df51e42baf91d4de5b2328de0e83dfc"},
		{[]string{"ab", "c"}, "601d5476e2ccfe2c87a2bba7a322659734a05749d5b5aa781f513e4912db0d5f"},
		{[]string{"a", "bc"}, "3fafa1cf2f19a7c1129beb20cf0983f73a489a221fc0dd2f16d1be292d089205"},
	} {
		if got := Key(c.parts...); got != c.want {
			t.Errorf("Key(%q) = %s, want %s", c.parts, got, c.want)
		}
	}
}

func TestAMissIsNotCached(t *testing.T) {
	c := openCache(t)
	_, _, err := Features.Cached(c, Key("x"))
	if !errors.Is(err, fs.ErrNotExist) || store.Unusable(err) {
		t.Errorf("got error %v, want fs.ErrNotExist alone", err)
	}
}

func TestEstimatesAreReadAsTheyWerePutAndPruned(t *testing.T) {
	c := openCache(t)
	key, none := Key("x"), math.Inf(1)
	errors := []matching.EstimateError{{Px: 1.0 / 3}, {Px: none}, {Rotation: 0.1, Translation: 90}, {Rotation: none, Translation: none}}
	must.Do(t, Estimates.Put(c, key, errors, 1.5))
	if got, seconds, err := Estimates.Cached(c, key); err != nil || !slices.Equal(got, errors) || seconds != 1.5 {
		t.Errorf("got %v, %v s, %v", got, seconds, err)
	}
	if pruned, err := c.Prune(0); err != nil || pruned.Removed != 1 {
		t.Errorf("pruned %+v, %v", pruned, err)
	}
	_, _, err := Estimates.Cached(c, key)
	must.FailAbout(t, err, "no such file")
}

// The golden files were written once; a reader in Python, written from the NPY
// specification, found in them the arrays of these values.
func TestFilesAreByteForByteThoseThatAnotherProgramReads(t *testing.T) {
	cache := openCache(t)
	key := Key("f")
	matrix := &descriptors.Matrix{Rows: 3, Dim: 2, Type: descriptors.Float32, Float32: []float32{1, 2, 3, 4, 5, 6.5}}
	matrix.Mark(1)
	must.Do(t, Features.Put(cache, key, matrix, 1.5))
	for golden, got := range map[string][]byte{
		"features.npz": must.Get(os.ReadFile(filepath.Join(cache.dir, "features", key[:2], key+".npz")))(t),
		"sets.npz": must.Get(Sets.Content([]keypoints.Set{{}, {
			Keypoints: []keypoints.Keypoint{{X: 1, Octave: 5}, {X: 2, Octave: 6}}, Source: []int32{4, 3},
		}}))(t),
	} {
		if want := must.Get(os.ReadFile(filepath.Join("testdata", golden)))(t); !bytes.Equal(got, want) {
			t.Errorf("%s: got %d bytes, want the %d of testdata", golden, len(got), len(want))
		}
	}
}

// filled returns a cache with the features "0", "1", "2", used that many hours
// ago, and their keys.
func filled(t *testing.T) (*Cache, []string) {
	t.Helper()
	c := openCache(t)
	var keys []string
	for i := range 3 {
		key := Key(fmt.Sprint(i))
		keys = append(keys, key)
		must.Do(t, Features.Put(c, key, oneRow(uint8(i)), 1.5))
		used := time.Now().Add(-time.Duration(i) * time.Hour)
		must.Do(t, os.Chtimes(filepath.Join(c.dir, "features", key[:2], key+".npz"), used, used))
	}
	return c, keys
}

// listed returns the keys of a cache's features.
func listed(t *testing.T, c *Cache) (keys []string) {
	t.Helper()
	paths := must.Get(filepath.Glob(filepath.Join(c.dir, "features", "*", "*.npz")))(t)
	for _, path := range paths {
		keys = append(keys, strings.TrimSuffix(filepath.Base(path), ".npz"))
	}
	return keys
}

func sorted(keys ...string) []string { return slices.Sorted(slices.Values(keys)) }

func TestPruningRemovesTheLeastRecentlyUsed(t *testing.T) {
	c, keys := filled(t)
	if _, _, err := Features.Cached(c, keys[2]); err != nil { // the oldest, used now
		t.Fatal(err)
	}
	for _, name := range []string{"note.txt", "short.npz"} { // which are not the cache's
		must.Do(t, os.WriteFile(filepath.Join(c.dir, "features", name), []byte("text"), 0o666))
	}
	info := must.Get(os.Stat(filepath.Join(c.dir, "features", keys[0][:2], keys[0]+".npz")))(t)
	size := info.Size() // of each
	for _, want := range []Pruned{{Removed: 1, RemovedBytes: size, Files: 2, Bytes: 2 * size}, {Files: 2, Bytes: 2 * size}} {
		if pruned, err := c.Prune(2 * size); err != nil || pruned != want {
			t.Errorf("got %+v, %v, want %+v", pruned, err, want)
		}
		if got := listed(t, c); !slices.Equal(got, sorted(keys[0], keys[2])) {
			t.Errorf("left are %q, want the two used last", got)
		}
	}
	for _, name := range []string{"note.txt", "short.npz"} {
		if _, err := os.Stat(filepath.Join(c.dir, "features", name)); err != nil {
			t.Error(err)
		}
	}
}
