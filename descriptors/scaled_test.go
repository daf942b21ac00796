package descriptors

import (
	"slices"
	"testing"

	"descbench/keypoints"
)

func TestTheScalesOfAKeypointFollowEachOther(t *testing.T) {
	kps := []keypoints.Keypoint{{X: 1, Y: 2, Size: 10, Octave: 511}, {X: 3, Y: 4, Size: 20, Angle: 90, Octave: 256, ClassID: 7}}
	before := slices.Clone(kps)
	var asked []float32
	resize := func(k keypoints.Keypoint, size float32) keypoints.Keypoint {
		asked = append(asked, size)
		k.Size, k.Octave = size, int32(size)
		return k
	}
	scales := []float64{0.5, 1, 2.5}
	for _, c := range []struct {
		name    string
		p       Pooling
		resize  func(keypoints.Keypoint, float32) keypoints.Keypoint
		octaves []int32
	}{
		{"resized", Pooling{Scales: scales}, resize, []int32{5, 10, 25, 10, 20, 50}},
		{"no octaves", Pooling{Scales: scales}, keypoints.ResizeOnly, []int32{511, 511, 511, 256, 256, 256}},
	} {
		got := c.p.Scaled(kps, c.resize)
		var want []keypoints.Keypoint
		for j, size := range []float32{5, 10, 25, 10, 20, 50} {
			k := before[j/3]
			k.Size, k.Octave = size, c.octaves[j]
			want = append(want, k)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", c.name, got, want)
		}
		if !slices.Equal(kps, before) {
			t.Errorf("%s: the keypoints became %v", c.name, kps)
		}
	}
	if want := []float32{5, 10, 25, 10, 20, 50}; !slices.Equal(asked, want) {
		t.Errorf("resize saw %v, want %v", asked, want)
	}
}
