package keypointsets

import (
	"context"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"descbench/keypoints"
	"descbench/pipeline/config"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

func TestTheRecipeOfADerivedSetIsThatOfAConfigWithAllSteps(t *testing.T) {
	sift, orb := "set1: detect sift; border 40 px closed", "set1: detect orb"
	both := []string{sift, "set2: detect orb", "set3: intersect set1 with set2, tolerance 3 px", "set3.b"}
	for _, c := range []struct {
		name string
		of   [][]string
		step config.KeypointSet
		want []string
	}{
		{"from one", [][]string{{sift}}, config.KeypointSet{Border: &keypoints.Border{Px: 5}},
			[]string{sift, "set2: from set1; border 5 px closed"}},
		{"from a side", [][]string{both}, config.KeypointSet{Top: &config.Top{By: keypoints.BySize, PerImage: 3}},
			append(slices.Clone(both[:3]), "set4: from set3.b; top 3 per image by size")},
		{"of two", [][]string{{sift, "set2: from set1; top 9 per image by size"}, {orb, "set2: from set1; border 9 px closed"}}, config.KeypointSet{Intersect: &config.Intersect{TolerancePx: 2}},
			[]string{sift, "set2: from set1; top 9 per image by size", "set3: detect orb", "set4: from set3; border 9 px closed", "set5: intersect set2 with set4, tolerance 2 px"}},
		{"of two with a common beginning", [][]string{both, {orb, "set2: from set1; border 9 px closed"}}, config.KeypointSet{Intersect: &config.Intersect{TolerancePx: 2}},
			append(slices.Clone(both[:3]), "set4: from set2; border 9 px closed", "set5: intersect set3.b with set4, tolerance 2 px")},
		{"of files that are named like sets", [][]string{{orb}, {"set1: import /set1/from set1/{scene}/{image}.npz"}}, config.KeypointSet{Intersect: &config.Intersect{}},
			[]string{orb, "set2: import /set1/from set1/{scene}/{image}.npz", "set3: intersect set1 with set2, tolerance 0 px"}},
	} {
		given := make([][]string, len(c.of))
		for i := range c.of {
			given[i] = slices.Clone(c.of[i])
		}
		if got, _ := derivedRecipe(c.of, c.step); !slices.Equal(got, c.want) {
			t.Errorf("%s:\ngot  %q\nwant %q", c.name, got, c.want)
		}
		if !reflect.DeepEqual(given, c.of) {
			t.Errorf("%s: the recipes it starts from were altered", c.name)
		}
	}
}

// storedAs writes a file of one scene of six images with three keypoints each,
// and opens it.
func storedAs(t *testing.T, h store.KeypointHeader, images int) *store.KeypointFile {
	t.Helper()
	path := filepath.Join(t.TempDir(), "set.parquet")
	w, err := store.CreateKeypointFile(path, h)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	set := keypoints.Set{Keypoints: []keypoints.Keypoint{{X: 50, Y: 50, Size: 3}, {X: 60, Y: 60, Size: 5}, {X: 70, Y: 70, Size: 4}}}
	scene := store.KeypointScene{Name: "v_one", Digest: "d", Images: make([]store.KeypointImage, images)}
	for i := range scene.Images {
		scene.Images[i] = store.KeypointImage{File: "1.png", Width: 100, Height: 100}
	}
	if err := w.Add(scene, slices.Repeat([]keypoints.Set{set}, images)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := store.OpenKeypointFile(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func TestTheDetectorOfAStoredSetIsReadWithItsParameters(t *testing.T) {
	for _, d := range keypoints.Detectors() {
		want := config.Detect{Type: d.Name, Params: keypoints.Defaults(d.Params)}
		f := storedAs(t, store.KeypointHeader{Recipe: []string{"set1: detect"}, Detector: &store.KeypointDetector{Type: d.Name, Params: want.Params}}, 6)
		got, err := storedDetector(f)
		if err != nil || !reflect.DeepEqual(*got, want) {
			t.Errorf("%s: got %+v, %v, want %+v", d.Name, got, err, want)
		}
	}
	imported := storedAs(t, store.KeypointHeader{Recipe: []string{"set1: import {scene}/{image}.npz", "set2: from set1"}}, 6)
	if got, err := storedDetector(imported); got != nil || err != nil {
		t.Errorf("imported: got %+v, %v, want none", got, err)
	}
}

func TestStoredSetsThatNothingCanBeDerivedFromAreRefused(t *testing.T) {
	sift := keypoints.Defaults(keypoints.Detectors()[0].Params)
	wrong := keypoints.Defaults(keypoints.Detectors()[0].Params)
	wrong["sigma"] = "wide"
	recipe := []string{"set1: detect sift"}
	geometry := config.KeypointSet{Project: &config.Project{FromImage: 1, Carry: "geometry", Bounds: "own"}}
	for want, c := range map[string]struct {
		header store.KeypointHeader
		images int
		steps  config.KeypointSet
	}{
		"written by an older version that did not store the detector": {store.KeypointHeader{Recipe: recipe}, 6, geometry},
		`keypoints of unknown detector "shift"`:                       {store.KeypointHeader{Recipe: recipe, Detector: &store.KeypointDetector{Type: "shift", Params: sift}}, 6, geometry},
		"parameter sigma of sift is wide, want a value like 1.6":      {store.KeypointHeader{Recipe: recipe, Detector: &store.KeypointDetector{Type: "sift", Params: wrong}}, 6, geometry},
		"v_one has 1 images, want at least 2":                         {store.KeypointHeader{Recipe: recipe}, 1, config.KeypointSet{}},
		"the recipe of the set is missing":                            {store.KeypointHeader{}, 6, config.KeypointSet{}},
	} {
		dir := t.TempDir()
		to := filepath.Join(dir, "to.parquet")
		d := Derivation{Of: []*store.KeypointFile{storedAs(t, c.header, c.images)}, Steps: c.steps, Data: dir, To: []string{to}}
		_, err := d.Derive(context.Background(), quietOptions(filepath.Join(dir, "cache")))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got error %v, want one with %q", err, want)
		}
		if !plan.Missing(to) {
			t.Errorf("%s: the file was written", want)
		}
	}
}

// The steps themselves are those of a run, which the scripts of cmd/descbench
// compare byte by byte; here every keypoint of the choice is worked by hand.
func TestATotalOfAStoredSetTakesEqualOnesByImage(t *testing.T) {
	f := storedAs(t, store.KeypointHeader{Recipe: []string{"set1: detect sift"}}, 6)
	to := filepath.Join(t.TempDir(), "to.parquet")
	d := Derivation{Of: []*store.KeypointFile{f}, Steps: config.KeypointSet{Top: &config.Top{By: keypoints.BySize, Total: 8}}, To: []string{to}}
	if n, err := d.Derive(context.Background(), quietOptions(t.TempDir())); n != 8 || err != nil {
		t.Fatalf("%d keypoints, %v, want 8", n, err)
	}
	made, err := store.OpenKeypointFile(to)
	if err != nil {
		t.Fatal(err)
	}
	defer made.Close()
	sets, err := made.Read(0)
	if err != nil {
		t.Fatal(err)
	}
	// Six of size 5, one in each image, then two of size 4.
	for i, s := range sets {
		want := []float32{5}
		if i < 2 {
			want = []float32{5, 4}
		}
		var got []float32
		for _, k := range s.Keypoints {
			got = append(got, k.Size)
		}
		if !slices.Equal(got, want) {
			t.Errorf("image %d: sizes %v, want %v", i+1, got, want)
		}
	}
}
