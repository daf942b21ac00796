package descriptors

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"descbench/keypoints"
)

// A Kind describes one kind of descriptor for configs and readers. Package
// extract computes it.
type Kind struct {
	Name        string
	Doc         string      // one line
	Dim         int         // elements per row with default parameters; see Shape
	Type        ElementType // element type with default parameters; see Shape
	Range       string      // values of one element
	NonNegative bool        // all elements are at least 0, as rooting requires
	Invariances string
	Source      string // author, title, venue
	Params      []keypoints.Param
	InGo        bool // computed without OpenCV
	Color       bool // describes colours, and grey images as SIFT does
	OwnAngle    bool // upright, or finds an orientation itself: the keypoint's angle does not turn the window
	Unscaled    bool // the length of a row carries information: by default rows are not normalised

	// Detectors are the detectors whose keypoints the kind can describe. It is
	// set if the kind needs more than position, size and angle; Because gives
	// the reason. nil: all detectors.
	Detectors []string
	Because   string

	// Levels is the detector whose rule changes the level of a keypoint with
	// its size. It is "" if the kind uses the size alone.
	Levels string
	// AnyKeypoint holds the parameter values needed to describe keypoints whose
	// position, size or angle has changed since detection. nil: any values
	// work.
	AnyKeypoint keypoints.Params
	// Patch defines how the kind describes a patch.
	Patch PatchFit

	shape func(keypoints.Params) (int, ElementType) // nil: always Dim and Type
}

// FindKind returns the kind with the given name and whether it exists.
func FindKind(name string) (Kind, bool) {
	all := Kinds()
	at := slices.IndexFunc(all, func(k Kind) bool { return k.Name == name })
	if at < 0 {
		return Kind{}, false
	}
	return all[at], true
}

// Shape returns the number of elements per row and their type for the given
// parameters. p must hold a value for every parameter in k.Params.
func (k Kind) Shape(p keypoints.Params) (dim int, t ElementType) {
	if k.shape == nil {
		return k.Dim, k.Type
	}
	return k.shape(p)
}

// Detector returns the default detector of the keypoints that the kind
// describes.
func (k Kind) Detector() string {
	if k.Accepts("sift") == nil {
		return "sift"
	}
	return k.Detectors[0]
}

// Accepts returns an error with the reason if this kind cannot describe the
// detector's keypoints.
func (k Kind) Accepts(detector string) error {
	if k.Detectors == nil || slices.Contains(k.Detectors, detector) {
		return nil
	}
	return fmt.Errorf("%s cannot describe keypoints of %s, want keypoints of %s: %s", k.Name, detector, strings.Join(k.Detectors, ", "), k.Because)
}

// BoundToDetector reports whether the kind takes a keypoint's scale from
// anything other than its size and SIFT's octave field. Such a kind cannot
// describe keypoints of unknown origin, and follows a change of size only by
// the rule of their detector.
func (k Kind) BoundToDetector() bool { return k.Accepts("sift") != nil }

// AcceptsAltered returns an error with the reason if, with the given
// parameters, keypoints cannot be described after their position, size or angle
// has been changed from what the detector found.
func (k Kind) AcceptsAltered(p keypoints.Params) error {
	for name, want := range k.AnyKeypoint {
		if p[name] != want {
			return fmt.Errorf("%s cannot describe moved or resized keypoints with %s: %v, want %[2]s: %[4]v", k.Name, name, p[name], want)
		}
	}
	return nil
}

// Resizer returns how the size of keypoints is changed for the kind with these
// parameters.
func (k Kind) Resizer(p keypoints.Params) keypoints.Resizer {
	if k.Levels == "" {
		return keypoints.ResizeOnly
	}
	return keypoints.ResizerOf(k.Levels, p)
}

// matching returns parameters of a detector that a descriptor must share with it.
func matching(detector string, names ...string) (params []keypoints.Param) {
	d, _ := keypoints.FindDetector(detector)
	for _, p := range d.Params {
		if slices.Contains(names, p.Name) {
			p.SameAs, p.Doc = detector, p.Doc+"; must match the detector"
			params = append(params, p)
		}
	}
	return params
}

// siftParams are the parameters of OpenCV's SIFT that change its descriptors,
// and the choice of pyramid.
var siftParams = append(matching("sift", "n_octave_layers", "sigma"), keypoints.Param{
	Name: "pyramid", Kind: keypoints.Choice, Default: "full", Choices: []string{"full", "opencv"}, Doc: "full: always start at the doubled image, so that a row does not depend on the other keypoints; opencv: start there only if some keypoint has octave -1; in both, keypoints of octaves -2 to -4 are described in an enlarged part of the image, and smaller ones are invalid",
})

// OpenCVAngle is an optional parameter of the kinds that use OpenCV's SIFT, except
// usift. If it is true, a keypoint without orientation is described as OpenCV does
// when it is called with it: at its angle of -1 degree, instead of upright. OpenCV
// then also adds gradients whose direction is less than one degree to the cell
// before their own. Configs do not have this parameter: it only serves to repeat
// the rows of the patch benchmark's OpenCV script.
const OpenCVAngle = "opencv_angle"

// The parameters below are OpenCV's too, except gradients. Parameters that only
// change keypoints are not listed. AKAZE's descriptor_channels is left out:
// OpenCV 4.6 supports only three. So is ORB's WTA_K: rows of 3 or 4 points per
// comparison would need a distance of their own.
var (
	surfParams = []keypoints.Param{
		{Name: "extended", Kind: keypoints.Bool, Default: false, Doc: "split gradient sums by the sign of the other component: 128 elements instead of 64"},
		{Name: "upright", Kind: keypoints.Bool, Default: false, Doc: "do not rotate the window"},
	}
	orbParams   = matching("orb", "scale_factor", "nlevels", "edge_threshold", "first_level", "patch_size")
	akazeParams = append([]keypoints.Param{
		{Name: "descriptor_type", Kind: keypoints.Choice, Default: "mldb", Choices: []string{"mldb", "mldb_upright", "kaze", "kaze_upright"}, Doc: "mldb: 486 bits, or descriptor_size; kaze: 64 real numbers; upright: do not rotate the window"},
		{Name: "descriptor_size", Kind: keypoints.Int, Default: int64(0), Min: 0, Max: 486, Doc: "number of the 486 mldb bits to use, a fixed random selection; 0 uses all"},
	}, matching("akaze", "n_octaves", "n_octave_layers", "diffusivity")...)
	kazeParams = append([]keypoints.Param{
		{Name: "extended", Kind: keypoints.Bool, Default: false, Doc: "split gradient sums by the sign of the other component: 128 elements instead of 64"},
		{Name: "upright", Kind: keypoints.Bool, Default: false, Doc: "do not rotate the window"},
		{Name: "gradients", Kind: keypoints.Choice, Default: "detector", Choices: []string{"detector", "compute"}, Doc: "detector: gradients at the keypoint's scale, as published; OpenCV computes these only for keypoints that it detects in the same call, so keypoints must not be moved; compute: 3×3 px gradients from OpenCV's compute, for keypoints anywhere"},
	}, matching("kaze", "threshold", "n_octaves", "n_octave_layers", "diffusivity")...)
	reszParams = []keypoints.Param{
		{Name: "side", Kind: keypoints.Int, Default: int64(6), Min: 2, Max: 32, Doc: "side of the resized patch, px"},
	}
	briskParams = []keypoints.Param{
		{Name: "pattern_scale", Kind: keypoints.Float, Default: 1.0, Min: 0.2, Max: 8, Doc: "scale factor of the sampling pattern"},
	}
)

// Kinds returns every kind of descriptor that a config may name.
func Kinds() []Kind {
	const (
		lowe        = "Lowe, Distinctive Image Features from Scale-Invariant Keypoints, IJCV 2004"
		siftBecause = "SIFT reads the octave from the keypoint, and the levels of ORB and BRISK are not octaves"
		vandeSande  = "van de Sande, Gevers, Snoek, Evaluating Color Descriptors for Object and Scene Recognition, PAMI 2010"
	)
	var siftDetectors []string
	for _, d := range keypoints.Detectors() {
		if d.Name != "orb" && d.Name != "brisk" {
			siftDetectors = append(siftDetectors, d.Name)
		}
	}
	baselinePatch := PatchFit{Size: PatchSide / BaselinePatch, Why: "window of 5 sizes, 65×65 samples"}
	siftPatch := PatchFit{Size: PatchSide / 7.5, Why: "4 cells of 1.5 sizes each, plus half a cell on each side with partial weight"}
	sift := func(name, doc, invariances, source string) Kind {
		return Kind{
			Name: name, Doc: doc,
			Dim: 128, Type: Uint8, Range: "integers 0 to 255", NonNegative: true,
			Invariances: invariances, Source: source,
			Params: siftParams, Detectors: siftDetectors, Because: siftBecause,
			Levels: "sift", Patch: siftPatch,
		}
	}
	const eachChannel = "scale, rotation, affine change of each channel's intensity"
	grey := sift("sift", "4×4 histograms of gradient orientations with 8 bins each, from the grey image", "scale, rotation, affine change of intensity", lowe)
	rgb := sift("rgbsift", "SIFT of the R, G and B channels at the same keypoints, concatenated in this order", eachChannel, vandeSande)
	mean := sift("rgbsift_mean", "element-wise mean of SIFT of the R, G and B channels at the same keypoints", eachChannel, "RGB-SIFT ("+vandeSande+"), averaged over the channels")
	opponent := sift("opponentsift", "SIFT of the opponent colours (R-G)/√2, (R+G-2B)/√6 and (R+G+B)/√3, each scaled to 0 to 255, concatenated in this order",
		"scale, rotation, affine change of intensity shared by the channels", vandeSande)
	upright := sift("usift", "upright SIFT: every keypoint is described at angle 0, whatever its own angle", "scale, affine change of intensity", lowe+", without the orientation of section 5")
	rgb.Dim, opponent.Dim, upright.OwnAngle = 384, 384, true
	rgb.Color, mean.Color, opponent.Color = true, true, true
	mean.Type, mean.Range = Float32, "thirds of integers, 0 to 255"
	return []Kind{
		grey, rgb, mean, opponent, upright,
		{
			Name: "surf", Doc: "sums of Haar wavelet responses and of their absolute values in 4×4 cells of the grey image; 128 elements if extended",
			Dim: 64, Type: Float32, Range: "real numbers -1 to 1, rows of length 1",
			Invariances: "scale, rotation (unless upright), affine change of intensity",
			Source:      "Bay, Ess, Tuytelaars, Van Gool, Speeded-Up Robust Features (SURF), CVIU 2008",
			Params:      surfParams, OwnAngle: true, InGo: true, shape: surfShape,
			Patch: PatchFit{Size: PatchSide / (20 * 1.2 / 9), Why: "window of 20 scales, each 1.2/9 of the size"},
		},
		{
			Name: "orb", Doc: "comparisons of pixel pairs in a smoothed patch, rotated by the keypoint's angle",
			Dim: 256, Type: Bits, Range: "bits",
			Invariances: "scale (by the detector's levels), rotation, affine change of intensity with positive gain",
			Source:      "Rublee, Rabaud, Konolige, Bradski, ORB: An Efficient Alternative to SIFT or SURF, ICCV 2011",
			Params:      orbParams,
			Detectors:   []string{"orb", "fast", "agast", "gftt"},
			Because:     "ORB reads the pyramid level from the keypoint's octave; it is 0 for corners of the original image, and other detectors use the field differently",
			Levels:      "orb",
			Patch:       PatchFit{Size: 31 * math.Pow(1.2, 4), Margin: 72, Why: "window of 31 px on pyramid level 4, which is scaled down by 1.2⁴"},
		},
		{
			Name: "brisk", Doc: "comparisons of pairs of smoothed samples in a ring pattern, scaled by the keypoint's size and rotated by its own gradient; keypoints whose pattern does not fit into the image are invalid",
			Dim: 512, Type: Bits, Range: "bits",
			Invariances: "scale, rotation, affine change of intensity with positive gain",
			Source:      "Leutenegger, Chli, Siegwart, BRISK: Binary Robust Invariant Scalable Keypoints, ICCV 2011",
			Params:      briskParams, OwnAngle: true,
			Patch: PatchFit{Size: PatchSide / 3.12, Margin: 32, Scaled: "pattern_scale", Why: "outermost ring at 1.28 sizes, smoothed by 0.26"},
		},
		{
			Name: "akaze", Doc: "M-LDB: comparisons of mean intensities and gradients over grids of 2×2, 3×3 and 4×4 cells in a nonlinear scale space; 64 real numbers if descriptor_type is kaze",
			Dim: 486, Type: Bits, Range: "bits; kaze: real numbers -1 to 1, rows of length 1",
			Invariances: "scale, rotation (unless upright), affine change of intensity with positive gain",
			Source:      "Alcantarilla, Nuevo, Bartoli, Fast Explicit Diffusion for Accelerated Features in Nonlinear Scale Spaces, BMVC 2013",
			Params:      akazeParams, shape: akazeShape,
			Detectors: []string{"akaze"},
			Because:   "AKAZE reads the level of the scale space from the keypoint's class",
			Levels:    "akaze",
			Patch:     PatchFit{Size: PatchSide / 10., Margin: 32, Why: "20 samples half a size apart"},
		},
		{
			Name: "kaze", Doc: "sums of gradients and of their absolute values in 4×4 cells in a nonlinear scale space; 128 elements if extended",
			Dim: 64, Type: Float32, Range: "real numbers -1 to 1, rows of length 1",
			Invariances: "scale, rotation (unless upright), affine change of intensity",
			Source:      "Alcantarilla, Bartoli, Davison, KAZE Features, ECCV 2012",
			Params:      kazeParams, OwnAngle: true, shape: surfShape,
			Detectors: []string{"kaze"},
			Because:   "KAZE reads the level of the scale space from the keypoint's class",
			Levels:    "kaze", AnyKeypoint: keypoints.Params{"gradients": "compute"},
			Patch: PatchFit{Size: PatchSide / 12., First: 3.2, Margin: 32, Why: "24 samples half a size apart"},
		},
		{
			Name: "mstd", Doc: "baseline: mean and standard deviation of the grey values of a patch of 5 keypoint sizes",
			Dim: 2, Type: Float32, Range: "real numbers 0 to 255", NonNegative: true, Unscaled: true,
			Invariances: "scale, rotation",
			Source:      "Balntas, Lenc, Vedaldi, Mikolajczyk, HPatches, CVPR 2017 (MStd)",
			InGo:        true, Patch: baselinePatch,
		},
		{
			Name: "resz", Doc: "baseline: a patch of 5 keypoint sizes, standardised and resized to 6×6 px",
			Dim: 36, Type: Float32, Range: "real numbers -1 to 1, rows of length 1",
			Invariances: "scale, rotation, affine change of intensity",
			Source:      "Balntas, Lenc, Vedaldi, Mikolajczyk, HPatches, CVPR 2017 (Resz)",
			Params:      reszParams, InGo: true, Patch: baselinePatch,
			shape: func(p keypoints.Params) (int, ElementType) { return int(p.Int("side") * p.Int("side")), Float32 },
		},
	}
}

func surfShape(p keypoints.Params) (int, ElementType) {
	if p.Bool("extended") {
		return 128, Float32
	}
	return 64, Float32
}

func akazeShape(p keypoints.Params) (int, ElementType) {
	switch p.Choice("descriptor_type") {
	case "kaze", "kaze_upright":
		return 64, Float32
	}
	if size := p.Int("descriptor_size"); size > 0 {
		return size, Bits
	}
	return 486, Bits
}
