package keypoints

import (
	"math"
	"slices"
)

// A Detector describes a kind of keypoint detector to configs and to readers.
// What runs it is package detect.
type Detector struct {
	Name   string
	Doc    string // one line
	Source string // author, title, venue
	Params []Param

	resizer func(Params) Resizer // nil: sizes do not tell levels, or there are none
}

// FindDetector returns the detector of that name, and whether there is one.
func FindDetector(name string) (Detector, bool) {
	all := Detectors()
	at := slices.IndexFunc(all, func(d Detector) bool { return d.Name == name })
	if at < 0 {
		return Detector{}, false
	}
	return all[at], true
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

// The other parameters are OpenCV's too, in snake_case. Those that change
// descriptors only are the descriptor's, and these are renamed or missing:
//   - FAST's and AGAST's type is detector_type here, since type names the
//     detector.
//   - KAZE's diffusivity has no charbonnier: OpenCV 4.6 takes it and then does
//     not diffuse at all.
//   - BRISK's custom sampling pattern is missing.
//
// Upper bounds keep OpenCV from asking for more memory than there is.
var (
	surfParams = []Param{
		{Name: "hessian_threshold", Kind: Float, Default: 100.0, Min: 0, Max: 1e9, Doc: "the determinant of a keypoint's Hessian is above it"},
		{Name: "n_octaves", Kind: Int, Default: int64(4), Min: 1, Max: 10, Doc: "octaves of filter sizes"},
		{Name: "n_octave_layers", Kind: Int, Default: int64(3), Min: 1, Max: 16, Doc: "layers searched in each octave"},
		{Name: "upright", Kind: Bool, Default: false, Doc: "do not measure orientations; every angle is 270°"},
	}
	orbParams = []Param{
		{Name: "nfeatures", Kind: Int, Default: int64(500), Min: 1, Max: 1e6, Doc: "keep this many keypoints, and those that tie with the weakest of them; a share of each level"},
		{Name: "scale_factor", Kind: Float, Default: 1.2, Min: 1.01, Max: 2, Doc: "ratio of the sizes of neighbouring levels of the pyramid"},
		{Name: "nlevels", Kind: Int, Default: int64(8), Min: 1, Max: 32, Doc: "levels of the pyramid"},
		{Name: "edge_threshold", Kind: Int, Default: int64(31), Min: 0, Max: 1000, Doc: "width of the border without keypoints, px of the level"},
		{Name: "first_level", Kind: Int, Default: int64(0), Min: 0, Max: 3, Doc: "level of the image itself; those before it are enlarged"},
		{Name: "score_type", Kind: Choice, Default: "harris_score", Choices: []string{"harris_score", "fast_score"}, Doc: "what keypoints are ranked by"},
		{Name: "patch_size", Kind: Int, Default: int64(31), Min: 2, Max: 255, Doc: "width of the patch that gives orientation and descriptor, px of the level"},
		{Name: "fast_threshold", Kind: Int, Default: int64(20), Min: 0, Max: 255, Doc: "least difference in brightness between a corner and the circle around it"},
	}
	akazeParams = []Param{
		{Name: "descriptor_type", Kind: Choice, Default: "mldb", Choices: []string{"mldb", "mldb_upright", "kaze", "kaze_upright"}, Doc: "the descriptor for whose window the border is left free"},
		{Name: "threshold", Kind: Float, Default: 0.001, Min: 0, Max: 1e6, Doc: "weaker extrema of the Hessian's determinant are dropped"},
		{Name: "n_octaves", Kind: Int, Default: int64(4), Min: 1, Max: 8, Doc: "most octaves of the scale space; small images have fewer"},
		{Name: "n_octave_layers", Kind: Int, Default: int64(4), Min: 1, Max: 8, Doc: "levels per octave"},
		{Name: "diffusivity", Kind: Choice, Default: "pm_g2", Choices: []string{"pm_g1", "pm_g2", "weickert", "charbonnier"}, Doc: "conductivity of the diffusion: Perona and Malik's first or second, Weickert's, Charbonnier's"},
	}
	kazeParams = []Param{
		{Name: "threshold", Kind: Float, Default: 0.001, Min: 0, Max: 1e6, Doc: "weaker extrema of the Hessian's determinant are dropped"},
		{Name: "n_octaves", Kind: Int, Default: int64(4), Min: 1, Max: 8, Doc: "octaves of the scale space, none of which is reduced: each layer takes 32 bytes a pixel"},
		{Name: "n_octave_layers", Kind: Int, Default: int64(4), Min: 1, Max: 8, Doc: "layers per octave"},
		{Name: "diffusivity", Kind: Choice, Default: "pm_g2", Choices: []string{"pm_g1", "pm_g2", "weickert"}, Doc: "conductivity of the diffusion: Perona and Malik's first or second, Weickert's"},
	}
	briskParams = []Param{
		{Name: "thresh", Kind: Int, Default: int64(30), Min: 0, Max: 255, Doc: "least AGAST score"},
		{Name: "octaves", Kind: Int, Default: int64(3), Min: 0, Max: 8, Doc: "octaves of the pyramid, each with a layer between it and the next; 0 looks at the image itself only"},
		{Name: "pattern_scale", Kind: Float, Default: 1.0, Min: 0.2, Max: 8, Doc: "factor on the sampling pattern, for whose room at the border keypoints are dropped"},
	}
	fastParams = []Param{
		{Name: "threshold", Kind: Int, Default: int64(10), Min: 0, Max: 255, Doc: "least difference in brightness between a corner and the circle around it"},
		{Name: "nonmax_suppression", Kind: Bool, Default: true, Doc: "keep only corners that are stronger than their neighbours; without it responses are 0"},
		{Name: "detector_type", Kind: Choice, Default: "type_9_16", Choices: []string{"type_5_8", "type_7_12", "type_9_16"}, Doc: "how many neighbouring pixels of a circle of how many must differ"},
	}
	agastParams = []Param{
		{Name: "threshold", Kind: Int, Default: int64(10), Min: 0, Max: 255, Doc: "least difference in brightness between a corner and the circle around it"},
		{Name: "nonmax_suppression", Kind: Bool, Default: true, Doc: "keep only corners that are stronger than their neighbours"},
		{Name: "detector_type", Kind: Choice, Default: "oast_9_16", Choices: []string{"agast_5_8", "agast_7_12d", "agast_7_12s", "oast_9_16"}, Doc: "how many neighbouring pixels of a circle of how many must differ; 7_12 on a diamond or a square"},
	}
	gfttParams = []Param{
		{Name: "max_corners", Kind: Int, Default: int64(1000), Min: 0, Max: math.MaxInt32, Doc: "keep only this many strongest corners; 0 keeps all"},
		{Name: "quality_level", Kind: Float, Default: 0.01, Min: 1e-9, Max: 1, Doc: "share of the strongest corner's strength below which corners are dropped"},
		{Name: "min_distance", Kind: Float, Default: 1.0, Min: 0, Max: 1e4, Doc: "least distance between corners, px"},
		{Name: "block_size", Kind: Int, Default: int64(3), Min: 1, Max: 255, Doc: "side of the square that gradients are summed over, px; also the keypoints' size"},
		{Name: "gradient_size", Kind: Int, Default: int64(3), Min: 1, Max: 7, Odd: true, Doc: "side of the Sobel operator, px, odd"},
		{Name: "use_harris_detector", Kind: Bool, Default: false, Doc: "strength is Harris and Stephens's measure instead of the lesser eigenvalue"},
		{Name: "k", Kind: Float, Default: 0.04, Min: 0, Max: 1, Doc: "weight of the squared trace in Harris and Stephens's measure"},
	}
	mserParams = []Param{
		{Name: "delta", Kind: Int, Default: int64(5), Min: 1, Max: 255, Doc: "difference in brightness over which a region must be stable"},
		{Name: "min_area", Kind: Int, Default: int64(60), Min: 5, Max: math.MaxInt32, Doc: "smaller regions are dropped, px; an ellipse takes at least 5"},
		{Name: "max_area", Kind: Int, Default: int64(14400), Min: 5, Max: math.MaxInt32, Doc: "larger regions are dropped, px"},
		{Name: "max_variation", Kind: Float, Default: 0.25, Min: 0, Max: 1e6, Doc: "regions that grow by a larger share over delta are dropped"},
		{Name: "pass2_only", Kind: Bool, Default: false, Doc: "bright regions only, not the dark ones"},
		{Name: "image", Kind: Choice, Default: "gray", Choices: []string{"gray", "color"}, Doc: "which image OpenCV is given; color: maximally stable colour regions, which alone heed the parameters below, but neither delta, max_variation nor pass2_only"},
		{Name: "min_diversity", Kind: Float, Default: 0.2, Min: 0, Max: 1, Doc: "regions that differ from their ancestor by a smaller share are dropped"},
		{Name: "max_evolution", Kind: Int, Default: int64(200), Min: 1, Max: 10000, Doc: "steps of evolution"},
		{Name: "area_threshold", Kind: Float, Default: 1.01, Min: 1, Max: 1e6, Doc: "growth in area at which a region is begun anew"},
		{Name: "min_margin", Kind: Float, Default: 0.003, Min: 0, Max: 1e6, Doc: "regions of a smaller margin are dropped"},
		{Name: "edge_blur_size", Kind: Int, Default: int64(5), Min: 1, Max: 255, Odd: true, Doc: "side of the blur of edges, px, odd"},
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

			resizer: func(p Params) Resizer {
				return ScaleSpace{Layers: p.Int("n_octave_layers"), Sigma: p.Float("sigma")}.Resize
			},
		},
		{
			Name:   "surf",
			Doc:    "maxima of the Hessian's determinant by box filters, with scale and orientation",
			Source: "Bay, Ess, Tuytelaars, Van Gool, Speeded-Up Robust Features (SURF), CVIU 2008",
			Params: surfParams,
		},
		{
			Name:   "orb",
			Doc:    "FAST corners on the levels of a pyramid, with orientation by the centre of mass",
			Source: "Rublee, Rabaud, Konolige, Bradski, ORB: An Efficient Alternative to SIFT or SURF, ICCV 2011",
			Params: orbParams,

			resizer: func(p Params) Resizer {
				return ORBLevels{
					ScaleFactor: p.Float("scale_factor"), Levels: p.Int("nlevels"), First: p.Int("first_level"), PatchSize: p.Int("patch_size"),
				}.Resize
			},
		},
		{
			Name:   "akaze",
			Doc:    "maxima of the Hessian's determinant in a nonlinear scale space of reduced octaves, with orientation",
			Source: "Alcantarilla, Nuevo, Bartoli, Fast Explicit Diffusion for Accelerated Features in Nonlinear Scale Spaces, BMVC 2013",
			Params: akazeParams,

			resizer: func(p Params) Resizer { return AKAZELevels{Layers: p.Int("n_octave_layers")}.Resize },
		},
		{
			Name:   "kaze",
			Doc:    "maxima of the Hessian's determinant in a nonlinear scale space; the angle is 0, orientation comes with the descriptor",
			Source: "Alcantarilla, Bartoli, Davison, KAZE Features, ECCV 2012",
			Params: kazeParams,

			resizer: func(p Params) Resizer { return KAZELevels{Layers: p.Int("n_octave_layers")}.Resize },
		},
		{
			Name:   "brisk",
			Doc:    "maxima of the AGAST score in a pyramid, with scale and orientation",
			Source: "Leutenegger, Chli, Siegwart, BRISK: Binary Robust Invariant Scalable Keypoints, ICCV 2011",
			Params: briskParams,
		},
		{
			Name:   "fast",
			Doc:    "corners by an accelerated segment test, at whole pixels, of size 7 without orientation",
			Source: "Rosten, Drummond, Machine Learning for High-Speed Corner Detection, ECCV 2006",
			Params: fastParams,
		},
		{
			Name:   "agast",
			Doc:    "corners by an adaptive accelerated segment test, at whole pixels, of size 7 without orientation",
			Source: "Mair, Hager, Burschka, Suppa, Hirzinger, Adaptive and Generic Corner Detection Based on the Accelerated Segment Test, ECCV 2010",
			Params: agastParams,
		},
		{
			Name:   "gftt",
			Doc:    "corners by the structure tensor (Shi and Tomasi's, or Harris's), at whole pixels, strongest first, without scale and orientation",
			Source: "Shi, Tomasi, Good Features to Track, CVPR 1994; Harris, Stephens, A Combined Corner and Edge Detector, Alvey Vision Conference 1988",
			Params: gfttParams,
		},
		{
			Name:   "mser",
			Doc:    "centres of ellipses fitted to maximally stable regions, of the diameter of the circle of equal area; without orientation, every response is 0",
			Source: "Matas, Chum, Urban, Pajdla, Robust Wide Baseline Stereo from Maximally Stable Extremal Regions, BMVC 2002; Nistér, Stewénius, Linear Time MSER, ECCV 2008; Forssén, Maximally Stable Colour Regions, CVPR 2007",
			Params: mserParams,
		},
	}
}
