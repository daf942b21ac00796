package config

import (
	"slices"
	"strings"
	"testing"

	"descbench/descriptors"
	"descbench/keypoints"
)

// SIFT has 4 cells of 1.5 keypoint sizes and half a cell on each side (Lowe 2004, OpenCV), SURF
// 20 scales of 1.2/9 sizes (Bay et al. 2008).
func TestWindowsAreThoseOfThePapers(t *testing.T) {
	sift := Descriptor{Name: "sift", Type: "sift", Keypoints: "a"}
	surf := Descriptor{Name: "surf", Type: "surf", Keypoints: "a"}
	brisk := Descriptor{Name: "brisk", Type: "brisk", Keypoints: "a", Params: keypoints.Params{"pattern_scale": 2.3}}
	pooled := Descriptor{Name: "pooled", Type: "surf", Keypoints: "a", Pooling: &descriptors.Pooling{Scales: []float64{1, 2.25}}}
	other := surf
	other.Keypoints = "b"
	for _, c := range []struct {
		list []Descriptor
		want []string
	}{
		{[]Descriptor{sift, other, {Name: "orb", Type: "orb", Keypoints: "a"}}, nil}, // 31 px, also of a corner of 7 px
		{[]Descriptor{sift, brisk, pooled}, []string{"7.5 sift", "7.2 brisk", "6 pooled"}},
		{[]Descriptor{surf, sift, {Name: "mine", Type: "command", Keypoints: "a"}, {Name: "net", Keypoints: "a", Command: &Command{Patches: &descriptors.PatchCut{Magnification: 12}}}}, []string{"12 net", "7.5 sift", "2.7 surf"}},
	} {
		var got []string
		for _, f := range Windows(c.list) {
			for _, size := range f.Names["sizes"] {
				got = append(got, size+" "+strings.Join(f.Names[size], ", "))
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
