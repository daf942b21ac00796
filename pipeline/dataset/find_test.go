package dataset

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"descbench/eval/must"
	"descbench/eval/scope"
	"descbench/pipeline/store"
)

// put writes a file, with its folders.
func put(t *testing.T, path string, data []byte) {
	t.Helper()
	must.Do(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must.Do(t, os.WriteFile(path, data, 0o644))
}

// putScene writes a whole small scene.
func putScene(t *testing.T, root, name string) {
	t.Helper()
	for k := 1; k <= 6; k++ {
		put(t, filepath.Join(root, name, string(rune('0'+k))+".png"), pngOf(picture(30+k, 20)))
		if k > 1 {
			put(t, filepath.Join(root, name, fmt.Sprintf("H_1_%d", k)), []byte("1 0 0.5\n0 1 -0.25\n0 0 1\n"))
		}
	}
}

func namesOf(refs []Ref) string {
	var names []string
	for _, r := range refs {
		names = append(names, r.Name)
	}
	return strings.Join(names, " ")
}

func TestScenesAreFoundByNameAndSubset(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"v_talent", "i_dc", "v_dogman", "i_ski", "street"} {
		putScene(t, root, name)
	}
	put(t, filepath.Join(root, "README"), nil)
	put(t, filepath.Join(root, "papers", "hpatches.pdf"), nil)
	for _, c := range []struct {
		names  []string
		subset string
		want   string
	}{
		{nil, "all", "i_dc i_ski street v_dogman v_talent"},
		{nil, "108", "i_ski street v_dogman"},
		{nil, "viewpoint", "v_dogman v_talent"},
		{nil, "illumination", "i_dc i_ski"},
		{[]string{"v_talent", "i_ski", "v_talent"}, "all", "i_ski v_talent"},
		{[]string{"v_talent", "i_ski"}, "108", "i_ski"},
	} {
		found, _, err := (Source{Root: root}).Find(c.names, c.subset)
		if got := namesOf(found); err != nil || got != c.want {
			t.Errorf("(Source{Root: %v}).Find(%s) gives %s (%v), want %s", c.names, c.subset, got, err, c.want)
		}
		for _, r := range found {
			if r.Fault != nil || !slices.Equal(r.Images, []string{"1.png", "2.png", "3.png", "4.png", "5.png", "6.png"}) {
				t.Errorf("%s: images %v, fault %v", r.Name, r.Images, r.Fault)
			}
		}
	}
	put(t, filepath.Join(root, "v_unpacked", "README"), nil)
	_, others, err := (Source{Root: root}).Find(nil, "all")
	if err != nil || !slices.Equal(others, []string{"papers"}) {
		t.Errorf("folders that are no scenes: %v (%v), want papers", others, err)
	}
	found, _, err := (Source{Root: root}).Find(nil, "viewpoint")
	if last := found[len(found)-1]; err != nil || last.Name != "v_unpacked" || last.Fault == nil {
		t.Errorf("an empty folder with the name of a scene: %+v (%v), want a broken scene", last, err)
	}
}

func TestWhatCannotBeFoundIsNamed(t *testing.T) {
	root := t.TempDir()
	putScene(t, root, "v_dogman")
	putScene(t, root, "v_churchill")
	put(t, filepath.Join(root, "papers", "hpatches.pdf"), nil)
	empty := t.TempDir()
	put(t, filepath.Join(empty, "sub", "note"), nil)
	file := filepath.Join(empty, "file")
	put(t, file, nil)
	for _, c := range []struct {
		root   string
		names  []string
		subset string
		want   string
	}{
		{root, []string{"v_dogmann"}, "all", `no scene "v_dogmann" (did you mean v_dogman?)`},
		{root, []string{"v_curchil", "v_zzzzzzzz"}, "all", `no scene "v_curchil" (did you mean v_churchill?); no scene "v_zzzzzzzz"`},
		{root, []string{"papers"}, "all", "papers is not a scene: no images 1, 2, … and homographies H_1_2, …"},
		{root, []string{"../" + filepath.Base(root)}, "all", "no scene \"../" + filepath.Base(root) + `"`},
		{root, nil, "illumination", `none of the 2 scenes is in the subset "illumination"`},
		{filepath.Join(root, "none"), nil, "all", "none: no such folder, want a folder of scenes; --data DIR, DESCBENCH_DATA or --set dataset.root=DIR names another; in a config, a relative root begins at the folder of the config"},
		{"data/hpatches-sequences-release", nil, "all", "; to download it: descbench dataset fetch hpatches-sequences --to data"},
		{filepath.Join(root, "v_dogman"), nil, "all", "v_dogman: is a scene, want the folder that contains it"},
		{empty, nil, "all", "contains no scenes (folders with images 1, 2, … and homographies H_1_2, …, or with views.txt)"},
		{file, nil, "all", "file: is a file, want a folder of scenes; unpack an archive first"},
		{filepath.Dir(root), nil, "all", "contains no scenes; the scenes are in " + root + ", want that folder"},
	} {
		_, _, err := (Source{Root: c.root}).Find(c.names, c.subset)
		var fault *store.Fault
		if err == nil || !strings.HasSuffix(err.Error(), c.want) || !errors.As(err, &fault) {
			t.Errorf("error is %T %v, want a *store.Fault that ends in %s", err, err, c.want)
		}
	}
}

func TestBrokenScenesAreKeptWithTheirFault(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"a", "b", "c", "d", "e", "whole"} {
		putScene(t, root, name)
	}
	for _, path := range []string{"a/1.png", "b/H_1_4", "b/6.png", "c/H_1_2", "d/3.png"} {
		must.Do(t, os.Remove(filepath.Join(root, path)))
	}
	put(t, filepath.Join(root, "d", "3.txt"), nil)
	put(t, filepath.Join(root, "e", "2.ppm"), ppmOf(picture(30, 20)))
	must.Do(t, os.Symlink("nowhere", filepath.Join(root, "f")))
	found, _, err := (Source{Root: root}).Find(nil, "all")
	must.Do(t, err)
	want := map[string]string{
		"a": "a: missing image 1",
		"b": "b: missing image 6, H_1_4",
		"c": "c: missing H_1_2",
		"d": "d: cannot read 3.txt, want an image with the extension .ppm, .pgm, .pnm, .png, .jpg, .jpeg (ImageMagick: convert FILE FILE.png)",
		"e": "e: found 2.png and 2.ppm, want one image 2",
		"f": "f: open " + filepath.Join(root, "f") + ": no such file or directory",
	}
	for _, r := range found {
		got := ""
		if r.Fault != nil {
			got = r.Fault.Error()
		}
		if got != want[r.Name] {
			t.Errorf("%s: fault %q, want %q", r.Name, got, want[r.Name])
		}
		var fault *store.Fault
		if _, err := (Source{Root: root}).Open(t.Context(), r.Name, maxMegapixels); (err == nil) != (want[r.Name] == "") || err != nil && (err.Error() != got || !errors.As(err, &fault)) {
			t.Errorf("%s: opening it gives %v", r.Name, err)
		}
	}
	if len(found) != len(want)+1 {
		t.Errorf("found %s", namesOf(found))
	}
}

func TestLinkedScenesAndCapitalExtensionsAreFound(t *testing.T) {
	root, elsewhere := t.TempDir(), t.TempDir()
	putScene(t, elsewhere, "x")
	must.Do(t, os.Rename(filepath.Join(elsewhere, "x", "1.png"), filepath.Join(elsewhere, "x", "1.PNG")))
	must.Do(t, os.Symlink(filepath.Join(elsewhere, "x"), filepath.Join(root, "v_x")))
	found, _, err := (Source{Root: root}).Find(nil, "all")
	if err != nil || len(found) != 1 || found[0].Fault != nil || found[0].Images[0] != "1.PNG" {
		t.Errorf("found %+v (%v), want v_x with 1.PNG", found, err)
	}
}

func TestHPatchesHas116ScenesAndASubsetOf108(t *testing.T) {
	if !slices.IsSorted(hpatches) || len(slices.Compact(slices.Clone(hpatches))) != 116 || HPatchesScenes != 116 {
		t.Errorf("%d names, want 116 different ones, sorted", len(hpatches))
	}
	count := map[string]int{}
	for _, name := range hpatches {
		count[scope.Category(name)]++
		if subsets["108"](name) {
			count["108"]++
		}
	}
	if count["illumination"] != 57 || count["viewpoint"] != 59 || count["108"] != 108 {
		t.Errorf("counts are %v, want 57 illumination, 59 viewpoint, 108 in the subset", count)
	}
	for name, want := range map[string]bool{
		"v_dogman": true, "i_contruction": true, "v_yuri": true, "i_ajuntament": true,
		"i_oxleuven": false, "i_oxbikes": false, "i_construction": false, "v_synth_001": false, "": false,
	} {
		if IsHPatches(name) != want {
			t.Errorf("IsHPatches(%q) = %v, want %v", name, !want, want)
		}
	}
}

// A folder of folders of scenes has groups, unless one of them is a release of HPatches.
func TestScenesInFoldersOfTheirPlaceAreGroups(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"park/bench", "park/tree", "street/door"} {
		putScene(t, root, name)
	}
	put(t, filepath.Join(root, "notes", "text"), nil)
	source := Source{Root: root}
	found, others, err := source.Find(nil, "all")
	must.Do(t, err)
	var names []string
	for _, r := range found {
		names = append(names, r.Name)
	}
	if want := []string{"park/bench", "park/tree", "street/door"}; !slices.Equal(names, want) || !slices.Equal(others, []string{"notes"}) {
		t.Errorf("found %v and %v, want %v and [notes]", names, others, want)
	}
	s, err := source.Open(t.Context(), "park/tree", 100)
	must.Do(t, err)
	if s.Where(1) != "park/tree/2.png" {
		t.Errorf("image 2 is %s", s.Where(1))
	}
	putScene(t, root, "release/v_dogman")
	_, _, err = source.Find(nil, "all")
	must.Fail(t, err, root+": contains no scenes; the scenes are in "+filepath.Join(root, "release")+", want that folder")
}

func TestAFileSaysWhichScenesAreOfOnePlace(t *testing.T) {
	root, list := t.TempDir(), filepath.Join(t.TempDir(), "groups")
	for _, name := range []string{"v_wall", "i_dc", "two words"} {
		putScene(t, root, name)
	}
	source := Source{Root: root, Groups: list}
	put(t, list, []byte("v_wall campus\n# a comment\ni_dc yard\ntwo words campus\n"))
	for _, c := range []struct {
		names  []string
		subset string
		want   string
	}{
		{nil, "all", "campus/two words campus/v_wall yard/i_dc"}, {nil, "108", "campus/two words campus/v_wall"}, {nil, "viewpoint", "campus/v_wall"},
		{[]string{"campus"}, "all", "campus/two words campus/v_wall"}, {[]string{"i_dc", "campus/v_wall"}, "all", "campus/v_wall yard/i_dc"},
	} {
		found, _, err := source.Find(c.names, c.subset)
		if got := namesOf(found); err != nil || got != c.want {
			t.Errorf("%v of %s: %s (%v), want %s", c.names, c.subset, got, err, c.want)
		}
	}
	s, err := source.Open(t.Context(), "campus/v_wall", 100)
	must.Do(t, err)
	bare, err := Source{Root: root}.Open(t.Context(), "v_wall", 100)
	must.Do(t, err)
	if s.Name != "campus/v_wall" || s.Where(1) != "v_wall/2.png" || s.Digest != bare.Digest || !IsHPatches(s.Name) {
		t.Errorf("opened %+v", s)
	}
	for text, want := range map[string]string{
		"v_wall a\n\nv_wall b": ": line 3: found scene v_wall a second time, want each once", "x": ": line 1: found one word, want SCENE GROUP",
		"v_wall a/b": ": line 1: found the group a/b, want a name without a slash", "v_wall a\nnone b": ": line 2: no scene none in " + root,
		"v_wall a\ni_dc a": ": no line for scene two words, want SCENE GROUP for each scene",
	} {
		put(t, list, []byte(text))
		_, _, err := source.Find(nil, "all")
		must.Fail(t, err, list+want)
	}
}

func TestPairsAreGroupedByAFileToo(t *testing.T) {
	rooms, list := filepath.Join("..", "..", "testdata", "rooms"), filepath.Join(t.TempDir(), "groups")
	found, _, err := Source{Root: rooms}.Find(nil, "all")
	must.Do(t, err)
	put(t, list, []byte(strings.ReplaceAll(namesOf(found), " ", " house\n")+" house\n"))
	s, err := Source{Root: rooms, Groups: list}.List(t.Context(), 100, 1, false)
	must.Do(t, err)
	for i, of := range s.Scenes {
		if of.Name != "house/"+strings.ReplaceAll(found[i].Name, "/", "-") || of.Fault != "" || of.Facts != nil {
			t.Errorf("scene %d: %+v", i, of)
		}
	}
}
