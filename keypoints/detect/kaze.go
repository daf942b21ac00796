package detect

import (
	"gocv.io/x/gocv"

	"descbench/keypoints"
)

var diffusivities = map[string]int{"pm_g1": 0, "pm_g2": 1, "weickert": 2, "charbonnier": 3}

// newKAZE returns OpenCV's KAZE, which finds keypoints level by level. The class is the
// level of the scale space.
func newKAZE(p keypoints.Params) detector {
	kaze := gocv.NewKazeWithParams(p.Bool("extended"), p.Bool("upright"), float32(p.Float("threshold")),
		p.Int("n_octaves"), p.Int("n_octave_layers"), diffusivities[p.Choice("diffusivity")])
	return orientedKAZE{&kaze}
}

// orientedKAZE detects with orientations, which OpenCV computes only when it describes:
// its detect leaves every angle at 0 (opencv/opencv#15259).
type orientedKAZE struct{ *gocv.KAZE }

// Detect returns the keypoints that DetectAndCompute finds.
func (k orientedKAZE) Detect(src gocv.Mat) []gocv.KeyPoint {
	noMask := gocv.NewMat()
	defer noMask.Close()
	found, rows := k.DetectAndCompute(src, noMask)
	_ = rows.Close() // always nil
	return found
}

// newAKAZE returns OpenCV's AKAZE, which finds keypoints level by level. The class is the
// level of the scale space; the octave counts its reductions.
//
// The number of descriptor channels is always three: with fewer, OpenCV 4.6
// either fails ("Assertion failed: dpos == 486") or writes outside a buffer.
func newAKAZE(p keypoints.Params) detector {
	types := map[string]int{"kaze_upright": 2, "kaze": 3, "mldb_upright": 4, "mldb": 5}
	const channels = 3
	akaze := gocv.NewAKAZEWithParams(types[p.Choice("descriptor_type")], p.Int("descriptor_size"), channels, float32(p.Float("threshold")),
		p.Int("n_octaves"), p.Int("n_octave_layers"), diffusivities[p.Choice("diffusivity")])
	return &akaze
}
