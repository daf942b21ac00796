package detect

import (
	"gocv.io/x/gocv"

	"descbench/keypoints"
)

var diffusivities = map[string]int{"pm_g1": 0, "pm_g2": 1, "weickert": 2, "charbonnier": 3}

// NewKAZE returns OpenCV's KAZE with the parameters of the kaze detector, the
// descriptor or both; parameters missing from p get their defaults. The caller
// closes it.
func NewKAZE(p keypoints.Params) gocv.KAZE {
	p = Complete("kaze", keypoints.Params{"extended": false, "upright": false}, p)
	return gocv.NewKazeWithParams(p.Bool("extended"), p.Bool("upright"), float32(p.Float("threshold")),
		p.Int("n_octaves"), p.Int("n_octave_layers"), diffusivities[p.Choice("diffusivity")])
}

// detectKAZE finds KAZE keypoints in the grey image, level by level. The class
// is the level of the scale space. The angle is 0, because OpenCV computes the
// orientation when it describes.
func detectKAZE(img Image, p keypoints.Params) ([]keypoints.Keypoint, error) {
	kaze := NewKAZE(p)
	defer kaze.Close()
	return find(&kaze, img.Gray)
}

// NewAKAZE returns OpenCV's AKAZE with the parameters of the akaze detector,
// the descriptor or both; parameters missing from p get their defaults. The
// caller closes it.
//
// The number of descriptor channels is always three: with fewer, OpenCV 4.6
// either fails ("Assertion failed: dpos == 486") or writes outside a buffer.
func NewAKAZE(p keypoints.Params) gocv.AKAZE {
	p = Complete("akaze", keypoints.Params{"descriptor_size": int64(0)}, p)
	types := map[string]int{"kaze_upright": 2, "kaze": 3, "mldb_upright": 4, "mldb": 5}
	const channels = 3
	return gocv.NewAKAZEWithParams(types[p.Choice("descriptor_type")], p.Int("descriptor_size"), channels, float32(p.Float("threshold")),
		p.Int("n_octaves"), p.Int("n_octave_layers"), diffusivities[p.Choice("diffusivity")])
}

// detectAKAZE finds AKAZE keypoints in the grey image, level by level. The
// class is the level of the scale space; the octave counts its reductions.
func detectAKAZE(img Image, p keypoints.Params) ([]keypoints.Keypoint, error) {
	akaze := NewAKAZE(p)
	defer akaze.Close()
	return find(&akaze, img.Gray)
}
