package extract_test

import (
	"math"
	"testing"

	"descbench/descriptors"
	"descbench/descriptors/extract"
	"descbench/keypoints"
	"descbench/keypoints/detect/detecttest"
)

// FuzzExtract describes keypoints as imported or forged sets may contain them.
// OpenCV ends the process where a check is missing, which the fuzzer reports.
func FuzzExtract(f *testing.F) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, k := range []keypoints.Keypoint{
		{X: 20, Y: 20, Size: 7, Angle: -1, ClassID: -1},
		{X: 20, Y: 20}, // no size
		{X: nan, Y: 20, Size: 7}, {X: 20, Y: inf, Size: 7}, {X: 20, Y: 20, Size: nan}, {X: 20, Y: 20, Size: 7, Angle: nan},
		{X: 20, Y: 20, Size: 1e-30}, {X: 20, Y: 20, Size: math.MaxFloat32}, {X: 20, Y: 20, Size: -7}, {X: 20, Y: 20, Size: 1e5},
		{X: -1000, Y: 20, Size: 7}, {X: 1e9, Y: 1e9, Size: 7}, {X: math.MaxFloat32, Y: -math.MaxFloat32, Size: 7}, {X: 47, Y: 39, Size: 31}, {X: 48, Y: 40, Size: 31},
		{X: 20, Y: 20, Size: 7, Angle: 1e20}, {X: 20, Y: 20, Size: 7, Angle: -720}, {X: 20, Y: 20, Size: 7, Angle: 360},
		{X: 20, Y: 20, Size: 7, Octave: math.MaxInt32}, {X: 20, Y: 20, Size: 7, Octave: math.MinInt32}, {X: 20, Y: 20, Size: 7, Octave: 127}, {X: 20, Y: 20, Size: 7, Octave: 255 | 255<<8}, {X: 20, Y: 20, Size: 7, Octave: 8},
		{X: 20, Y: 20, Size: 7, ClassID: math.MaxInt32}, {X: 20, Y: 20, Size: 7, ClassID: math.MinInt32}, {X: 20, Y: 20, Size: 7, ClassID: 100},
	} {
		for kind := range descriptors.Kinds() {
			f.Add(uint8(kind), uint8(48), uint8(40), k.X, k.Y, k.Size, k.Angle, k.Octave, k.ClassID)
		}
	}
	f.Fuzz(func(t *testing.T, kind, width, height uint8, x, y, size, angle float32, octave, class int32) {
		w, h := max(int(width), 1), max(int(height), 1)
		img := detecttest.Textured(w, h, 1).Image(t)
		kinds := descriptors.Kinds()
		k := kinds[int(kind)%len(kinds)]
		hostile := keypoints.Keypoint{X: x, Y: y, Size: size, Angle: angle, Octave: octave, ClassID: class}
		sound := at(float32(w)/2, float32(h)/2, 7, 0)
		for _, kps := range [][]keypoints.Keypoint{{hostile}, {sound, hostile, sound}} {
			m, err := extract.Extract(img, kps, k.Name, params(t, k.Name))
			if err != nil {
				continue
			}
			if m.Rows != len(kps) || m.Check() != nil {
				t.Errorf("%s of %+v: %d rows, %v", k.Name, kps, m.Rows, m.Check())
			}
		}
	})
}
