package store

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"descbench/keypoints"
)

// withSets returns a cache with features used now, and two stored sets, of 40 and
// of 80 keypoints an image, used one and two hours ago.
func withSets(t *testing.T) (c *Cache, features string, sets []string) {
	c = openCache(t)
	features = Key("f")
	if err := c.PutFeatures(features, oneRow(1), 1.5); err != nil {
		t.Fatal(err)
	}
	for i, n := range []int{40, 80} {
		key := Key("set", string(rune('a'+i)))
		sets = append(sets, key)
		path := filepath.Join(c.dir, "keypoints", key+".parquet")
		writeKeypoints(t, path, someScenes(2, n))
		used := time.Now().Add(-time.Duration(i+1) * time.Hour)
		if err := os.Chtimes(path, used, used); err != nil {
			t.Fatal(err)
		}
	}
	return c, features, sets
}

func (c *Cache) setFile(key string) string { return filepath.Join(c.dir, "keypoints", key+".parquet") }

func TestTheListSaysWhatStoredSetsAre(t *testing.T) {
	c, features, sets := withSets(t)
	if err := os.WriteFile(c.setFile(Key("damaged")), []byte("PAR1"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, other := range []string{"big.parquet", filepath.Join(Unfinished+"1", Key("x")+".parquet")} { // neither is ours to list
		path := filepath.Join(c.dir, "keypoints", other)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want := append([]string{features}, sorted(append(sets, Key("damaged"))...)...)
	if got := listed(t, c); !slices.Equal(got, want) {
		t.Fatalf("got %q, want %q", got, want)
	}
	entries, err := c.List()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries[1:] {
		switch {
		case e.Kind != KindKeypoints || e.Bytes == 0:
			t.Errorf("got %+v", e)
		case e.Key == Key("damaged"):
			if e.Set != nil {
				t.Errorf("a damaged file is of %+v", e.Set)
			}
		// Five of six images have keypoints.
		case e.Set == nil || e.Set.Scenes != 2 || e.Set.Keypoints != map[string]int{sets[0]: 400, sets[1]: 800}[e.Key] || e.Set.Recipe[0] != "detect sift":
			t.Errorf("%s is of %+v", e.Key, e.Set)
		}
	}
	if entries[0].Set != nil {
		t.Errorf("features are of %+v", entries[0].Set)
	}
}

func TestVerifyingFindsADamagedRowOfAStoredSet(t *testing.T) {
	c, _, sets := withSets(t)
	b, err := os.ReadFile(c.setFile(sets[1]))
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)/2] ^= 1
	if err := os.WriteFile(c.setFile(sets[1]), b, 0o666); err != nil {
		t.Fatal(err)
	}
	found := map[string]error{}
	if err := c.Verify(t.Context(), func(e CacheEntry, err error) { found[e.Key] = err }); err != nil {
		t.Fatal(err)
	}
	if len(found) != 3 || !errors.Is(found[sets[1]], ErrDamaged) || found[sets[0]] != nil {
		t.Errorf("found %v, want %s alone damaged", found, sets[1])
	}
}

func TestPruningTakesStoredSetsByAgeAndSizeLikeTheRest(t *testing.T) {
	c, _, sets := withSets(t)
	removed, err := c.Prune(90*time.Minute, 0)
	if err != nil || len(removed) != 1 || removed[0].Key != sets[1] {
		t.Errorf("by age: removed %+v, %v, want %s", removed, err, sets[1])
	}
	removed, err = c.Prune(0, removed[0].Bytes/100) // less than the smaller set alone
	if err != nil || len(removed) == 0 || removed[0].Key != sets[0] {
		t.Errorf("by size: removed %+v, %v, want %s first", removed, err, sets[0])
	}
	if _, err := os.Stat(c.setFile(sets[0])); !os.IsNotExist(err) {
		t.Errorf("the file is still there: %v", err)
	}
}

func TestPruningRemovesWhatKilledComputationsLeft(t *testing.T) {
	c, _, _ := withSets(t)
	old, young := filepath.Join(c.dir, "keypoints", Unfinished+"1"), filepath.Join(c.dir, "keypoints", Unfinished+"2")
	for _, dir := range []string{old, young} {
		if err := WriteSets(unitAt(filepath.Join(dir, "units", "a.npz")), []keypoints.Set{{}}); err != nil {
			t.Fatal(err)
		}
	}
	yesterday := time.Now().Add(-25 * time.Hour)
	if err := os.Chtimes(old, yesterday, yesterday); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Prune(0, 0); err != nil {
		t.Fatal(err)
	}
	if got := names(t, filepath.Join(c.dir, "keypoints")); slices.Contains(got, filepath.Base(old)) || !slices.Contains(got, filepath.Base(young)) {
		t.Errorf("left are %q", got)
	}
}
