package fold

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"descbench/eval/fact"
	"descbench/eval/scope"
	"descbench/pipeline/config"
	"descbench/pipeline/config/configtest"
	"descbench/pipeline/notes"
	"descbench/pipeline/store"
)

// Two of the scenes in the means are not of the preset: who reads the table must know.
func TestScenesThatAPresetDoesNotHaveAreNamed(t *testing.T) {
	const text = `
experiment: {name: p}
dataset: {root: ., subset: all}
keypoint_sets: [{name: sift, detect: {type: sift}, border: 0}]
descriptors: [{name: sift, type: sift}]
evaluation: {preset: d2net}
`
	c := configtest.Load(t, filepath.Clean(t.TempDir()), text)
	got := func(scenes ...string) []string { return notes.Texts(PresetDeviations(c, scenes, scope.All)) }
	want := []string{
		"2 of its 108 scenes", "scenes that it does not have: i_dc, v_mine",
		"dataset.subset: ours all, published 108",
	}
	if texts := got("i_dc", "v_churchill", "v_mine", "v_wall"); !slices.Equal(texts, want) {
		t.Errorf("got %q, want %q", texts, want)
	}
	c.Evaluation.Preset = ""
	if texts := got("v_mine"); texts != nil {
		t.Errorf("without a preset: %q", texts)
	}
}

func TestWarningsInAScopeAreAboutItsScenesOrSayThatTheyAreAboutAll(t *testing.T) {
	scenes := map[string]store.SummaryScene{"v_a": {}, "i_b": {}}
	o := &Run{Config: &config.Config{}, Summary: &store.Summary{
		Descriptors: []store.SummaryDescriptor{{Name: "sift", Scenes: scenes}},
		Warnings:    store.Facts{fact.New(fact.SameImages, "i_b"), fact.New(fact.ManyTies).On("sift").With("share", 0.09), fact.New(fact.PlacesAtChance, "v_a").On("sift")},
	}}
	var got []string
	for _, f := range o.Within("illumination").Summary.Warnings {
		got = append(got, f.Part+" "+string(f.Kind))
	}
	if want := []string{" same-images", "all scenes many-ties"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestDeviationsAreThoseOfShownDescriptors(t *testing.T) {
	const text = `
experiment: {name: p}
dataset: {root: .}
keypoint_sets: [{name: k, detect: {type: sift}, border: 0}]
descriptors: [{name: a, type: sift, keypoints: k, matcher: {ratio: 0.8}}, {name: b, type: sift, keypoints: k, matcher: {ratio: 0.9}}]
evaluation: {preset: d2net}
`
	c := configtest.Load(t, filepath.Clean(t.TempDir()), text).Only(func(descriptor string) bool { return descriptor == "b" })
	note := strings.Join(notes.Texts(PresetDeviations(c, nil, scope.All)), "; ")
	if !strings.Contains(note, "; descriptors[b].matcher: ours mutual nearest neighbours, ratio 0.9, published mutual nearest neighbours") || strings.Contains(note, "descriptors[a]") {
		t.Error(note)
	}
}
