package fold

import (
	"path/filepath"
	"slices"
	"testing"

	"descbench/pipeline/config/configtest"
)

// 108 scenes and two others, one of them by name only, are 110 scenes in the means: who
// reads the table must know.
func TestScenesThatAPresetDoesNotHaveAreNamed(t *testing.T) {
	const text = `
experiment: {name: p}
dataset: {root: ., subset: all}
keypoint_sets: [{name: sift, detect: {type: sift}, border: 0}]
descriptors: [{name: sift, type: sift}]
evaluation: {preset: d2net}
`
	c := configtest.Load(t, filepath.Clean(t.TempDir()), text)
	got := func(digests map[string]string) []string {
		warnings, err := presetWarnings(c, digests)
		if err != nil {
			t.Fatal(err)
		}
		var texts []string
		for _, w := range warnings {
			if w.Kind != PresetWarning {
				t.Errorf("kind %s", w.Kind)
			}
			texts = append(texts, w.Text)
		}
		return texts
	}
	want := []string{
		"dataset: 2 of its 108 scenes", "dataset: 2 scenes in the means that are not in the preset: i_dc, v_mine",
		"dataset: 1 scene in the means whose files are not those of HPatches: v_churchill",
		"dataset: 1 scene in the means whose files were not verified: v_wall",
		"dataset.subset: ours all, published 108",
	}
	if texts := got(map[string]string{"v_wall": "00", "v_churchill": "00", "v_mine": "00", "i_dc": "00"}); !slices.Equal(texts, want) {
		t.Errorf("got %q, want %q", texts, want)
	}
	c.Evaluation.Preset = ""
	if texts := got(map[string]string{"v_mine": "00"}); texts != nil {
		t.Errorf("without a preset: %q", texts)
	}
}
