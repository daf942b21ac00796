package keypoints

import "math"

// A Detector describes a kind of keypoint detector to configs and to readers.
// What runs it is package detect.
type Detector struct {
	Name   string
	Doc    string // one line
	Source string // author, title, venue
	Params []Param
}

// siftParams are the parameters of OpenCV's SIFT, the detector's and the
// descriptor's alike.
var siftParams = []Param{
	{Name: "nfeatures", Kind: Int, Default: int64(0), Min: 0, Max: math.MaxInt32, Doc: "keep only this many strongest keypoints; 0 keeps all"},
	{Name: "n_octave_layers", Kind: Int, Default: int64(3), Min: 1, Max: 5, Doc: "layers per octave of the scale space"},
	{Name: "contrast_threshold", Kind: Float, Default: 0.04, Min: 0, Max: math.MaxFloat64, Doc: "weaker extrema are dropped"},
	{Name: "edge_threshold", Kind: Float, Default: 10.0, Min: 1, Max: math.MaxFloat64, Doc: "extrema on edges with a larger ratio of principal curvatures are dropped"},
	{Name: "sigma", Kind: Float, Default: 1.6, Min: 0.5, Max: 10, Doc: "blur of the first layer, px"},
}

// Detectors returns every detector that a config may name.
func Detectors() []Detector {
	return []Detector{
		{
			Name:   "sift",
			Doc:    "extrema of the difference of Gaussians, with scale and orientation",
			Source: "Lowe, Distinctive Image Features from Scale-Invariant Keypoints, IJCV 2004",
			Params: siftParams,
		},
	}
}
