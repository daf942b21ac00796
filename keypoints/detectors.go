package keypoints

import (
	"math"
	"slices"
)

// A Detector describes one keypoint detector for configs and readers. Package
// detect runs it.
type Detector struct {
	Name   string
	Doc    string // one line
	Source string // author, title, venue
	Params []Param

	resizer func(Params) Resizer // nil: sizes do not tell levels, or there are none
	limit   string               // parameter that limits the keypoints per image, 0 for no limit; "" if there is none
	scoring func(Params) string  // what gives scores if every response is 0, else ""; nil: responses differ
}

// FindDetector returns the detector with the given name and whether it exists.
func FindDetector(name string) (Detector, bool) {
	all := Detectors()
	at := slices.IndexFunc(all, func(d Detector) bool { return d.Name == name })
	if at < 0 {
		return Detector{}, false
	}
	return all[at], true
}

// Max returns the detector's own limit on the number of keypoints per image, and
// the parameter that sets it. max is 0 if there is no limit.
func (d Detector) Max(p Params) (param string, max int) {
	if d.limit == "" {
		return "", 0
	}
	return d.limit, p.Int(d.limit)
}

// Unscored returns what to set instead if a selection by response is impossible, since
// every response is 0, and "" otherwise.
func (d Detector) Unscored(p Params) string {
	if d.scoring == nil {
		return ""
	}
	return d.scoring(p)
}

// siftParams are the parameters of OpenCV's SIFT. The detector and the
// descriptor share them.
var siftParams = []Param{
	{Name: "nfeatures", Kind: Int, Default: int64(0), Min: 0, Max: math.MaxInt32, Doc: "number of strongest keypoints to keep; 0 keeps all"},
	{Name: "n_octave_layers", Kind: Int, Default: int64(3), Min: 1, Max: 5, Doc: "layers per octave of the scale space"},
	{Name: "contrast_threshold", Kind: Float, Default: 0.04, Min: 0, Max: math.MaxFloat64, Doc: "contrast below which extrema are dropped"},
	{Name: "edge_threshold", Kind: Float, Default: 10.0, Min: 1, Max: math.MaxFloat64, Doc: "ratio of principal curvatures above which extrema are dropped as edges"},
	{Name: "sigma", Kind: Float, Default: 1.6, Min: 0.5, Max: 10, Doc: "blur of the first layer, px"},
}

// The other parameters are OpenCV's too, in snake_case. Parameters that only
// change descriptors belong to the descriptor. These are renamed or left out:
//   - The type of FAST and AGAST is detector_type here, because type names the
//     detector.
//   - KAZE's diffusivity has no charbonnier: OpenCV 4.6 accepts it and then
//     does not diffuse at all.
//   - BRISK's custom sampling pattern is left out, as are parameters that gocv does
//     not set: GFTT's gradientSize and MSER's pass2Only.
//
// Upper bounds keep OpenCV from requesting more memory than a machine has.
var (
	surfParams = []Param{
		{Name: "hessian_threshold", Kind: Float, Default: 100.0, Min: 0, Max: 1e9, Doc: "keep only keypoints whose Hessian determinant exceeds this"},
		{Name: "n_octaves", Kind: Int, Default: int64(4), Min: 1, Max: 10, Doc: "number of octaves of filter sizes"},
		{Name: "n_octave_layers", Kind: Int, Default: int64(3), Min: 1, Max: 16, Doc: "number of layers searched in each octave"},
		{Name: "upright", Kind: Bool, Default: false, Doc: "do not compute orientations; every angle is 270°"},
	}
	orbParams = []Param{
		{Name: "nfeatures", Kind: Int, Default: int64(500), Min: 1, Max: 1e6, Doc: "number of keypoints to keep, shared among the levels; ties with the weakest are also kept"},
		{Name: "scale_factor", Kind: Float, Default: 1.2, Min: 1.01, Max: 2, Doc: "size ratio of neighbouring pyramid levels"},
		{Name: "nlevels", Kind: Int, Default: int64(8), Min: 1, Max: 32, Doc: "number of pyramid levels"},
		{Name: "edge_threshold", Kind: Int, Default: int64(31), Min: 0, Max: 1000, Doc: "width of the border without keypoints, in px of the level"},
		{Name: "first_level", Kind: Int, Default: int64(0), Min: 0, Max: 3, Doc: "pyramid level of the original image; levels below it are enlarged"},
		{Name: "score_type", Kind: Choice, Default: "harris_score", Choices: []string{"harris_score", "fast_score"}, Doc: "score that ranks keypoints"},
		{Name: "patch_size", Kind: Int, Default: int64(31), Min: 2, Max: 255, Doc: "width of the patch used for orientation and descriptor, in px of the level"},
		{Name: "fast_threshold", Kind: Int, Default: int64(20), Min: 0, Max: 255, Doc: "minimum brightness difference between a corner and the circle around it"},
	}
	akazeParams = []Param{
		{Name: "descriptor_type", Kind: Choice, Default: "mldb", Choices: []string{"mldb", "mldb_upright", "kaze", "kaze_upright"}, Doc: "descriptor whose window sets the width of the border without keypoints"},
		{Name: "threshold", Kind: Float, Default: 0.001, Min: 0, Max: 1e6, Doc: "Hessian determinant below which extrema are dropped"},
		{Name: "n_octaves", Kind: Int, Default: int64(4), Min: 1, Max: 8, Doc: "maximum number of octaves of the scale space; small images have fewer"},
		{Name: "n_octave_layers", Kind: Int, Default: int64(4), Min: 1, Max: 8, Doc: "number of levels per octave"},
		{Name: "diffusivity", Kind: Choice, Default: "pm_g2", Choices: []string{"pm_g1", "pm_g2", "weickert", "charbonnier"}, Doc: "diffusion conductivity function: Perona-Malik g1 or g2, Weickert or Charbonnier"},
	}
	kazeParams = []Param{
		{Name: "threshold", Kind: Float, Default: 0.001, Min: 0, Max: 1e6, Doc: "Hessian determinant below which extrema are dropped"},
		{Name: "n_octaves", Kind: Int, Default: int64(4), Min: 1, Max: 8, Doc: "number of octaves of the scale space; all have full resolution, and each layer takes 32 bytes per pixel"},
		{Name: "n_octave_layers", Kind: Int, Default: int64(4), Min: 1, Max: 8, Doc: "number of layers per octave"},
		{Name: "diffusivity", Kind: Choice, Default: "pm_g2", Choices: []string{"pm_g1", "pm_g2", "weickert"}, Doc: "diffusion conductivity function: Perona-Malik g1 or g2, or Weickert"},
	}
	briskParams = []Param{
		{Name: "thresh", Kind: Int, Default: int64(30), Min: 0, Max: 255, Doc: "minimum AGAST score"},
		{Name: "octaves", Kind: Int, Default: int64(3), Min: 0, Max: 8, Doc: "number of pyramid octaves, with one layer between neighbouring octaves; 0 uses only the original image"},
		{Name: "pattern_scale", Kind: Float, Default: 1.0, Min: 0.2, Max: 8, Doc: "scale factor of the sampling pattern; keypoints whose pattern does not fit into the image are dropped"},
	}
	fastParams = []Param{
		{Name: "threshold", Kind: Int, Default: int64(10), Min: 0, Max: 255, Doc: "minimum brightness difference between a corner and the circle around it"},
		{Name: "nonmax_suppression", Kind: Bool, Default: true, Doc: "keep only corners stronger than their neighbours; if false, all responses are 0"},
		{Name: "detector_type", Kind: Choice, Default: "type_9_16", Choices: []string{"type_5_8", "type_7_12", "type_9_16"}, Doc: "segment test type_N_M: N contiguous pixels of a circle of M pixels must differ from its centre"},
	}
	agastParams = []Param{
		{Name: "threshold", Kind: Int, Default: int64(10), Min: 0, Max: 255, Doc: "minimum brightness difference between a corner and the circle around it"},
		{Name: "nonmax_suppression", Kind: Bool, Default: true, Doc: "keep only corners stronger than their neighbours"},
		{Name: "detector_type", Kind: Choice, Default: "oast_9_16", Choices: []string{"agast_5_8", "agast_7_12d", "agast_7_12s", "oast_9_16"}, Doc: "segment test N_M: N contiguous pixels of a circle of M pixels must differ from its centre; 7_12d is a diamond, 7_12s a square"},
	}
	gfttParams = []Param{
		{Name: "max_corners", Kind: Int, Default: int64(1000), Min: 0, Max: math.MaxInt32, Doc: "number of strongest corners to keep; 0 keeps all"},
		{Name: "quality_level", Kind: Float, Default: 0.01, Min: 1e-9, Max: 1, Doc: "corners weaker than this fraction of the strongest corner are dropped"},
		{Name: "min_distance", Kind: Float, Default: 1.0, Min: 0, Max: 1e4, Doc: "minimum distance between corners, px"},
		{Name: "block_size", Kind: Int, Default: int64(3), Min: 1, Max: 255, Doc: "side of the square over which gradients are summed, px; also the keypoint size"},
		{Name: "use_harris_detector", Kind: Bool, Default: false, Doc: "use the Harris-Stephens measure as corner strength instead of the smaller eigenvalue"},
		{Name: "k", Kind: Float, Default: 0.04, Min: 0, Max: 1, Doc: "weight of the squared trace in the Harris-Stephens measure"},
	}
	mserParams = []Param{
		{Name: "delta", Kind: Int, Default: int64(5), Min: 1, Max: 255, Doc: "brightness range over which a region must be stable"},
		{Name: "min_area", Kind: Int, Default: int64(60), Min: 5, Max: math.MaxInt32, Doc: "minimum area of a region, in pixels; fitting an ellipse needs at least 5"},
		{Name: "max_area", Kind: Int, Default: int64(14400), Min: 5, Max: math.MaxInt32, Doc: "maximum area of a region, in pixels"},
		{Name: "max_variation", Kind: Float, Default: 0.25, Min: 0, Max: 1e6, Doc: "maximum relative growth of a region over delta"},
		{Name: "image", Kind: Choice, Default: "gray", Choices: []string{"gray", "color"}, Doc: "input image; color detects maximally stable colour regions, which use the parameters below and ignore delta and max_variation"},
		{Name: "min_diversity", Kind: Float, Default: 0.2, Min: 0, Max: 1, Doc: "minimum relative difference from the parent region; color only"},
		{Name: "max_evolution", Kind: Int, Default: int64(200), Min: 1, Max: 10000, Doc: "number of evolution steps; color only"},
		{Name: "area_threshold", Kind: Float, Default: 1.01, Min: 1, Max: 1e6, Doc: "area growth at which a region is re-initialised; color only"},
		{Name: "min_margin", Kind: Float, Default: 0.003, Min: 0, Max: 1e6, Doc: "minimum margin of a region; color only"},
		{Name: "edge_blur_size", Kind: Int, Default: int64(5), Min: 1, Max: 255, Odd: true, Doc: "side of the edge blur kernel, px; must be odd; color only"},
	}
)

// Detectors returns every detector that a config may name.
func Detectors() []Detector {
	return []Detector{
		{
			Name:   "sift",
			Doc:    "extrema of the difference of Gaussians, with scale and orientation",
			Source: "Lowe, Distinctive Image Features from Scale-Invariant Keypoints, IJCV 2004",
			Params: siftParams,

			limit:   "nfeatures",
			resizer: func(p Params) Resizer { return scaleSpaceOf(p).Resize },
		},
		{
			Name:   "surf",
			Doc:    "maxima of the Hessian determinant computed with box filters, with scale and orientation",
			Source: "Bay, Ess, Tuytelaars, Van Gool, Speeded-Up Robust Features (SURF), CVIU 2008",
			Params: surfParams,
		},
		{
			Name:   "orb",
			Doc:    "FAST corners in an image pyramid, with orientation from the intensity centroid",
			Source: "Rublee, Rabaud, Konolige, Bradski, ORB: An Efficient Alternative to SIFT or SURF, ICCV 2011",
			Params: orbParams,

			limit:   "nfeatures",
			resizer: orbResizer,
		},
		{
			Name:   "akaze",
			Doc:    "maxima of the Hessian determinant in a nonlinear scale space with downsampled octaves, with orientation",
			Source: "Alcantarilla, Nuevo, Bartoli, Fast Explicit Diffusion for Accelerated Features in Nonlinear Scale Spaces, BMVC 2013",
			Params: akazeParams,

			resizer: akazeResizer,
		},
		{
			Name:   "kaze",
			Doc:    "maxima of the Hessian determinant in a nonlinear scale space, with orientation",
			Source: "Alcantarilla, Bartoli, Davison, KAZE Features, ECCV 2012",
			Params: kazeParams,

			resizer: kazeResizer,
		},
		{
			Name:   "brisk",
			Doc:    "maxima of the AGAST score in an image pyramid, with scale and orientation",
			Source: "Leutenegger, Chli, Siegwart, BRISK: Binary Robust Invariant Scalable Keypoints, ICCV 2011",
			Params: briskParams,
		},
		{
			Name:   "fast",
			Doc:    "corners of an accelerated segment test, at integer pixels, with size 7 and no orientation",
			Source: "Rosten, Drummond, Machine Learning for High-Speed Corner Detection, ECCV 2006",
			Params: fastParams,

			scoring: func(p Params) string {
				if p.Bool("nonmax_suppression") {
					return ""
				}
				return "nonmax_suppression: true"
			},
		},
		{
			Name:   "agast",
			Doc:    "corners of an adaptive accelerated segment test, at integer pixels, with size 7 and no orientation",
			Source: "Mair, Hager, Burschka, Suppa, Hirzinger, Adaptive and Generic Corner Detection Based on the Accelerated Segment Test, ECCV 2010",
			Params: agastParams,
		},
		{
			Name:   "gftt",
			Doc:    "corners of the structure tensor (Shi-Tomasi or Harris), at integer pixels, strongest first, without scale or orientation",
			Source: "Shi, Tomasi, Good Features to Track, CVPR 1994; Harris, Stephens, A Combined Corner and Edge Detector, Alvey Vision Conference 1988",
			Params: gfttParams,

			limit: "max_corners",
		},
		{
			Name:   "mser",
			Doc:    "centres of ellipses fitted to maximally stable regions; the size is the diameter of the circle with the same area; no orientation, every response is 0",
			Source: "Matas, Chum, Urban, Pajdla, Robust Wide Baseline Stereo from Maximally Stable Extremal Regions, BMVC 2002; Nistér, Stewénius, Linear Time MSER, ECCV 2008; Forssén, Maximally Stable Colour Regions, CVPR 2007",
			Params: mserParams,

			scoring: func(Params) string { return "by: size" },
		},
	}
}
