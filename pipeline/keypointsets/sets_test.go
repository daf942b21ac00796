package keypointsets

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"descbench/keypoints"
	"descbench/keypoints/npz"
	"descbench/pipeline"
	"descbench/pipeline/config"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

const setGraph = `
experiment: {name: sets}
dataset: {root: ROOT, scenes: [i_synth_001, v_synth_001]}
keypoint_sets:
  - {name: sift, detect: {type: sift}, border: 40, top: {by: response, per_image: 300}}
  - {name: big, from: sift, top: {by: size, total: 2000}}
  - {name: orb, detect: {type: orb}, border: 40}
  - {name: both, intersect: {a: big, b: orb, tolerance_px: 3}, top: {by: size, total: 400}}
  - {name: locked, from: both.b, project: {from_image: 1, carry: geometry}}
descriptors:
  - {name: a, type: sift, keypoints: both.a}
  - {name: b, type: brisk, keypoints: locked}
output: {root: runs}
`

func loadText(t *testing.T, dir, text string) *config.Config {
	t.Helper()
	root, err := filepath.Abs("../../testdata/scenes")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "config.yaml")
	if err := os.WriteFile(path, []byte(strings.ReplaceAll(text, "ROOT", root)), 0o666); err != nil {
		t.Fatal(err)
	}
	cfg, err := config.Load(path, config.Overrides{})
	if err != nil {
		t.Fatal(err)
	}
	return cfg
}

func quietOptions(cache string) plan.Options {
	return plan.Options{Jobs: 2, CacheDir: cache, Log: slog.New(slog.NewTextHandler(io.Discard, nil))}
}

func openSets(t *testing.T, cfg *config.Config, opt plan.Options) *Sets {
	t.Helper()
	k, err := Open(context.Background(), cfg, opt)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// readAll returns the stored set, by scene and image.
func readAll(t *testing.T, k *Sets, name string) (sets [][]keypoints.Set, computed bool) {
	t.Helper()
	f, computed, err := k.Open(context.Background(), name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for i := range f.Scenes {
		s, err := f.Read(i)
		if err != nil {
			t.Fatal(err)
		}
		sets = append(sets, s)
	}
	return sets, computed
}

func TestStoredSetsAreThoseOfARun(t *testing.T) {
	dir := t.TempDir()
	cfg := loadText(t, dir, setGraph)
	opt := quietOptions(filepath.Join(dir, "cache"))
	outcome, err := pipeline.Run(context.Background(), cfg, opt)
	if err != nil {
		t.Fatal(err)
	}
	run := plan.Folder(outcome.Folder)
	units, err := run.Units()
	if err != nil {
		t.Fatal(err)
	}
	opt.CacheDir = filepath.Join(dir, "another")
	k := openSets(t, cfg, opt)
	for _, name := range []string{"both.a", "both.b", "locked", "big", "orb"} {
		got, _ := readAll(t, k, name)
		for i, scene := range []string{"i_synth_001", "v_synth_001"} {
			file, err := units.Of(run.Set(name, scene), scene)
			if err != nil {
				t.Fatal(err)
			}
			want, err := store.ReadSets(file)
			if err != nil {
				t.Fatal(err)
			}
			for image := range want {
				if !slices.Equal(got[i][image].Keypoints, want[image].Keypoints) || !slices.Equal(got[i][image].Source, want[image].Source) {
					t.Errorf("%s, %s, image %d: the stored set has %d keypoints, the run's %d, or others", name, scene, image+1, got[i][image].Len(), want[image].Len())
				}
			}
		}
	}
	left, err := filepath.Glob(filepath.Join(opt.CacheDir, "keypoints", store.Unfinished+"*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

// TestATotalSelectionKeepsTheFirstOfAllScenes compares it with sorting all.
func TestATotalSelectionKeepsTheFirstOfAllScenes(t *testing.T) {
	dir := t.TempDir()
	k := openSets(t, loadText(t, dir, setGraph), quietOptions(dir))
	sizes := func(name string) (sizes []float32) {
		sets, _ := readAll(t, k, name)
		for _, scene := range sets {
			for _, s := range scene {
				for _, p := range s.Keypoints {
					sizes = append(sizes, p.Size)
				}
			}
		}
		slices.Sort(sizes)
		return sizes
	}
	all, kept := sizes("sift"), sizes("big")
	if len(kept) != 2000 || len(all) <= 2000 {
		t.Fatalf("%d of %d keypoints were kept, want 2000 of more", len(kept), len(all))
	}
	if !slices.Equal(kept, all[len(all)-2000:]) {
		t.Error("the keypoints kept are not the largest")
	}
}

func TestStoredSetsAreTheSameBytesForAnyNumberOfJobs(t *testing.T) {
	dir := t.TempDir()
	cfg := loadText(t, dir, setGraph)
	var files [2][]byte
	for i := range files {
		opt := quietOptions(filepath.Join(dir, fmt.Sprint(i)))
		opt.Jobs = 1 + 2*i
		k := openSets(t, cfg, opt)
		readAll(t, k, "locked")
		digest, err := k.digest("locked")
		if err != nil {
			t.Fatal(err)
		}
		if files[i], err = os.ReadFile(k.path(digest)); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Error("the files differ")
	}
}

func TestAStoredSetIsComputedOnceAndAgainWhenDamaged(t *testing.T) {
	dir := t.TempDir()
	k := openSets(t, loadText(t, dir, setGraph), quietOptions(dir))
	first, computed := readAll(t, k, "sift")
	if !computed {
		t.Error("the set was there before it was computed")
	}
	if _, computed = readAll(t, k, "sift"); computed {
		t.Error("the set was computed twice")
	}
	digest, err := k.digest("sift")
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(k.path(digest))
	if err != nil {
		t.Fatal(err)
	}
	content[len(content)/3] ^= 255
	if err := os.WriteFile(k.path(digest), content, 0o666); err != nil {
		t.Fatal(err)
	}
	again, computed := readAll(t, k, "sift")
	if !computed || !reflect.DeepEqual(first, again) {
		t.Errorf("of a damaged set: computed again is %v, with the same keypoints %v", computed, reflect.DeepEqual(first, again))
	}
}

func TestTheDigestIsOfTheRecipeNotOfNames(t *testing.T) {
	dir := t.TempDir()
	digest := func(text, name string) string {
		t.Helper()
		d, err := openSets(t, loadText(t, dir, text), quietOptions(dir)).digest(name)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	base := digest(setGraph, "both.a")
	renamed := strings.NewReplacer("name: sift,", "name: s1,", "from: sift", "from: s1", "name: both", "name: pair", "both.", "pair.").Replace(setGraph)
	if digest(renamed, "pair.a") != base {
		t.Error("other names gave another digest")
	}
	for what, other := range map[string]string{
		"the border of a set that it is made from": strings.Replace(setGraph, "border: 40", "border: 41", 1),
		"its tolerance":                strings.Replace(setGraph, "tolerance_px: 3", "tolerance_px: 2", 1),
		"another detector of one side": strings.Replace(setGraph, "type: orb", "type: fast", 1),
		"the scenes":                   strings.Replace(setGraph, "[i_synth_001, v_synth_001]", "[v_synth_001]", 1),
	} {
		if digest(other, "both.a") == base {
			t.Errorf("%s did not change the digest", what)
		}
	}
	if digest(setGraph, "both.b") == base {
		t.Error("both sides have one digest")
	}
	if digest(strings.Replace(setGraph, "carry: geometry", "carry: position", 1), "both.a") != base {
		t.Error("a set that it is not made from changed the digest")
	}
}

// writeImports writes an .npz for every image, with as many keypoints as its
// number; for i_synth_001 with descriptors.
func writeImports(t *testing.T, dir string) {
	t.Helper()
	for _, scene := range []string{"i_synth_001", "v_synth_001"} {
		if err := os.MkdirAll(filepath.Join(dir, scene), 0o777); err != nil {
			t.Fatal(err)
		}
		for image := 1; image <= 6; image++ {
			var positions, rows []float32
			for i := range image {
				positions = append(positions, float32(10*i)+0.5, float32(image))
				rows = append(rows, 1, float32(i))
			}
			members := []npz.Member{npz.Of(positions, image, 2).Member("keypoints")}
			if scene == "i_synth_001" {
				members = append(members, npz.Of(rows, image, 2).Member("descriptors"))
			}
			var b bytes.Buffer
			if err := npz.WriteArchive(&b, members, ""); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, scene, fmt.Sprintf("%d.npz", image)), b.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
}

const importedGraph = `
experiment: {name: imported}
dataset: {root: ROOT, scenes: [i_synth_001, v_synth_001]}
keypoint_sets: [{name: mine, import: {path: "kp/{scene}/{image}.npz", origin: corner}}]
descriptors: [{name: sift, type: sift, keypoints: mine}]
`

func TestImportedKeypointsAreStoredAsARunReadsThem(t *testing.T) {
	dir := t.TempDir()
	writeImports(t, filepath.Join(dir, "kp"))
	cfg := loadText(t, dir, importedGraph)
	var stored [2][][]keypoints.Set
	for i := range stored {
		k := openSets(t, cfg, quietOptions(filepath.Join(dir, fmt.Sprint(i))))
		if i == 0 {
			n := 0
			faults, err := k.Import(context.Background(), "mine", func(f ImportedFile) error {
				if n++; f.Keypoints != f.Image || f.Fault != "" || (len(f.Ignored) == 1) != (f.Scene == "i_synth_001") {
					t.Errorf("found %+v", f)
				}
				return nil
			})
			if faults != 0 || err != nil || n != 12 {
				t.Fatalf("%d faults in %d files, %v", faults, n, err)
			}
		}
		var computed bool
		if stored[i], computed = readAll(t, k, "mine"); computed != (i == 1) {
			t.Errorf("computed is %v", computed)
		}
	}
	if !reflect.DeepEqual(stored[0], stored[1]) {
		t.Errorf("import stored\n%v\na run reads\n%v", stored[0], stored[1])
	}
	// Written at x = 10.5, half a pixel from the centre of pixel 10.
	if p := stored[0][1][2].Keypoints[1]; p.X != 10 || p.Y != 2.5 || p.ClassID != 1 || p.Angle != -1 {
		t.Errorf("row 1 of image 3 is %+v", p)
	}
}

// TestDescriptorsOfATableBelongToItsKeypoints runs on CSV whose columns both
// readers, of keypoints and of features, must take for the same.
func TestDescriptorsOfATableBelongToItsKeypoints(t *testing.T) {
	dir := t.TempDir()
	for _, scene := range []string{"i_synth_001", "v_synth_001"} {
		for image := 1; image <= 6; image++ {
			path := filepath.Join(dir, "kp", scene, fmt.Sprintf("%d.csv", image))
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte("\ufeffX,y,d1,score,d0\n100.5,90,1,0.25,3\n300,200.25,2,0.5,0\n"), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	cfg := loadText(t, dir, `
experiment: {name: tables}
dataset: {root: ROOT, scenes: [i_synth_001, v_synth_001]}
keypoint_sets:
  - {name: all, import: {path: "kp/{scene}/{image}.csv", origin: corner}}
  - {name: best, from: all, top: {by: response, per_image: 1}}
descriptors: [{name: mine, type: file, path: "kp/{scene}/{image}.csv", origin: corner, elements: float32, keypoints: best}]
`)
	opt := quietOptions(dir)
	outcome, err := pipeline.Run(context.Background(), cfg, opt)
	if err != nil {
		t.Fatal(err)
	}
	if n := outcome.Summary.ScenesEvaluated; n != 2 {
		t.Errorf("%d scenes were evaluated, want 2", n)
	}
	best, _ := readAll(t, openSets(t, cfg, opt), "best")
	want := []keypoints.Keypoint{{X: 299.5, Y: 199.75, Angle: -1, Response: 0.5, ClassID: 1}}
	if got := best[1][5].Keypoints; !slices.Equal(got, want) {
		t.Errorf("the best is %+v, want %+v", got, want)
	}
}

func TestImportsThatAreOfNoUseAreNamedAndNothingIsStored(t *testing.T) {
	dir := t.TempDir()
	files := filepath.Join(dir, "kp")
	writeImports(t, files)
	cfg := loadText(t, dir, importedGraph)
	k := openSets(t, cfg, quietOptions(dir))
	sound, err := k.digest("mine")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(files, "v_synth_001", "2.npz"), []byte("x,y\n5,7\n900,7\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if other, err := k.digest("mine"); err != nil || other == sound {
		t.Errorf("another content has the same digest (%v)", err)
	}
	if err := os.Remove(filepath.Join(files, "v_synth_001", "3.npz")); err != nil {
		t.Fatal(err)
	}
	found := map[int]string{}
	faults, err := k.Import(context.Background(), "mine", func(f ImportedFile) error {
		if f.Fault != "" {
			found[f.Image] = f.Scene + " " + f.Fault
		}
		return nil
	})
	if faults != 2 || err != nil || !strings.Contains(found[2], "v_synth_001") || !strings.Contains(found[2], "row 1 is at (899.5, 6.5)") || !strings.Contains(found[3], "3.npz") {
		t.Errorf("%d faults, %v: %v", faults, err, found)
	}
	if e := k.List()[0]; e.Stored || e.Fault == "" {
		t.Errorf("listed as %+v", e)
	}
	if stored, _ := filepath.Glob(filepath.Join(dir, "keypoints", "*")); len(stored) > 0 {
		t.Errorf("stored: %v", stored)
	}
}
