package config

import (
	"fmt"
	"reflect"
	"testing"

	"descbench/eval/must"
)

func TestDiffNamesItemsThatComeGoOrMove(t *testing.T) {
	a, b := mustLoad(t, "../../configs/demo.yaml"), mustLoad(t, "../../configs/demo.yaml")
	d := b.Descriptors
	b.Descriptors = []Descriptor{d[1], d[0], d[2]}
	if got, want := Diff(a, b), []string{"order of descriptors: sift, rootsift, rgbsift -> rootsift, sift, rgbsift"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	b.Descriptors = d[:2]
	b.Descriptors[1].Name = "new"
	row := "{name: %s, type: %s, keypoints: sift_2k, n_octave_layers: 3, sigma: 1.6, pyramid: full, root: %s, normalize: l2}"
	want := []string{
		"descriptors[rootsift]: " + fmt.Sprintf(row, "rootsift", "sift", "l1") + " -> not set",
		"descriptors[rgbsift]: " + fmt.Sprintf(row, "rgbsift", "rgbsift", "none") + " -> not set",
		"descriptors[new]: not set -> " + fmt.Sprintf(row, "new", "sift", "l1"),
	}
	if got := Diff(a, b); !reflect.DeepEqual(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

func TestDescriptorsOfOneLabelAreShownWithTheirKeypoints(t *testing.T) {
	text := `experiment: {name: t}
dataset: {root: /scenes}
keypoint_sets: [{name: s, label: DoG, detect: {type: sift}}, {name: k, detect: {type: kaze}}]
descriptors: [{name: a, type: sift, keypoints: s, label: SIFT}, {name: b, type: sift, keypoints: k, label: SIFT}, {name: c, type: surf, keypoints: k}]
`
	c := must.Get(Parse("t.yaml", []byte(text)))(t)
	check := func(want ...string) {
		t.Helper()
		for i, d := range c.Descriptors {
			if got := c.Shown(d); got != want[i] {
				t.Errorf("%s: got %q, want %q", d.Name, got, want[i])
			}
		}
	}
	check("SIFT (DoG)", "SIFT (k)", "c")
	if others, err := c.Relabel([]string{"descriptors[a].label=", "descriptors[none].label=X", "keypoint_sets[k].label=KAZE"}); err != nil || !reflect.DeepEqual(others, []string{"descriptors[none].label=X"}) {
		t.Errorf("got %q (%v)", others, err)
	}
	check("a", "SIFT", "c")
	for set, want := range map[string]string{
		"descriptors[c].label=SIFT": `found "SIFT", which is shown for b on the same keypoints, want another label`,
		"descriptors[c].label=B":    `found "B", the name of another descriptor, which has the label "SIFT"; want another label`,
		"descriptors[c].label=b\nc": "want printable text of at most 80 bytes",
	} {
		_, err := c.Relabel([]string{set})
		must.FailAbout(t, err, want)
	}
}
