package descriptors

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"descbench/keypoints"
)

// A Kind describes a kind of descriptor to configs and to readers. What
// computes it is package extract.
type Kind struct {
	Name        string
	Doc         string      // one line
	Dim         int         // elements per row; Shape tells it for other than default parameters
	Type        ElementType // of an element, likewise
	Range       string      // of one element
	NonNegative bool        // rooting needs this
	Invariances string
	Source      string // author, title, venue
	Params      []keypoints.Param

	// Detectors are those whose keypoints it can describe, since it needs more
	// of a keypoint than position, size and angle; Because says what. nil: all.
	Detectors []string
	Because   string

	// Levels is the detector by whose rule keypoints take another size, since the
	// kind looks up the level that goes with it; "": it looks at the size alone.
	Levels string
	// ByClass says that the level is the keypoint's class, which only the
	// detector gives it, and not its octave.
	ByClass bool
	// AnyKeypoint are the parameters that it takes to describe keypoints whose
	// position, size or angle is not what the detector found; nil: any do.
	AnyKeypoint keypoints.Params
	// Patch is how it looks at a patch.
	Patch PatchFit

	shape func(keypoints.Params) (int, ElementType) // nil: Dim and Type, whatever the parameters
}

// FindKind returns the kind of that name, and whether there is one.
func FindKind(name string) (Kind, bool) {
	all := Kinds()
	at := slices.IndexFunc(all, func(k Kind) bool { return k.Name == name })
	if at < 0 {
		return Kind{}, false
	}
	return all[at], true
}

// Shape returns the number of elements per row and their type with the given
// parameters, which must hold a value for every one in k.Params.
func (k Kind) Shape(p keypoints.Params) (dim int, t ElementType) {
	if k.shape == nil {
		return k.Dim, k.Type
	}
	return k.shape(p)
}

// Detector returns the detector whose keypoints the kind describes unless others
// are asked for.
func (k Kind) Detector() string {
	if k.Accepts("sift") == nil {
		return "sift"
	}
	return k.Detectors[0]
}

// Accepts returns an error, which says why, if the keypoints of that detector
// cannot be described.
func (k Kind) Accepts(detector string) error {
	if k.Detectors == nil || slices.Contains(k.Detectors, detector) {
		return nil
	}
	return fmt.Errorf("%s cannot describe keypoints of %s, want those of %s: %s", k.Name, detector, strings.Join(k.Detectors, ", "), k.Because)
}

// BoundToDetector reports whether the kind looks for a keypoint's scale anywhere
// but in its size and in SIFT's octave field, and so cannot describe keypoints of
// unknown origin, nor follow a change of size that their detector's rule does not.
func (k Kind) BoundToDetector() bool { return k.Accepts("sift") != nil }

// AcceptsAltered returns an error, which says why, if keypoints cannot be
// described with the given parameters once their position, size or angle is
// not what the detector found any more.
func (k Kind) AcceptsAltered(p keypoints.Params) error {
	for name, want := range k.AnyKeypoint {
		if p[name] != want {
			return fmt.Errorf("%s cannot describe keypoints that were moved or resized by the %s of its detector, want %[2]s: %v", k.Name, name, want)
		}
	}
	return nil
}

// Resizer returns how keypoints take another size for the kind with these
// parameters; nil: only the size changes.
func (k Kind) Resizer(p keypoints.Params) keypoints.Resizer {
	if k.Levels == "" {
		return nil
	}
	return keypoints.ResizerOf(k.Levels, p)
}

// siftParams are the parameters of OpenCV's SIFT that change its descriptors,
// and which pyramid they are taken from.
var siftParams = []keypoints.Param{
	{Name: "n_octave_layers", Kind: keypoints.Int, Default: int64(3), Min: 1, Max: 5, SameAs: "sift", Doc: "layers per octave of the scale space; must be the detector's"},
	{Name: "sigma", Kind: keypoints.Float, Default: 1.6, Min: 0.5, Max: 10, SameAs: "sift", Doc: "blur of the first layer, px; must be the detector's"},
	{Name: "pyramid", Kind: keypoints.Choice, Default: "full", Choices: []string{"full", "opencv"}, Doc: "full: always start at the doubled image, so that a row does not depend on its company; opencv: only if some keypoint has octave -1"},
}

// The parameters below are OpenCV's too, but for gradients. What is not listed
// changes keypoints only. AKAZE's descriptor_channels is missing: OpenCV 4.6
// can do no other than three.
var (
	surfParams = []keypoints.Param{
		{Name: "extended", Kind: keypoints.Bool, Default: false, Doc: "sum gradients by the sign of the other component too: 128 elements instead of 64"},
		{Name: "upright", Kind: keypoints.Bool, Default: false, Doc: "do not turn the window"},
	}
	orbParams = []keypoints.Param{
		{Name: "scale_factor", Kind: keypoints.Float, Default: 1.2, Min: 1.01, Max: 2, SameAs: "orb", Doc: "ratio of the sizes of neighbouring levels of the pyramid; must be the detector's"},
		{Name: "nlevels", Kind: keypoints.Int, Default: int64(8), Min: 1, Max: 32, SameAs: "orb", Doc: "levels of the pyramid; must be the detector's"},
		{Name: "edge_threshold", Kind: keypoints.Int, Default: int64(31), Min: 0, Max: 1000, SameAs: "orb", Doc: "width of the border where keypoints are not described, px; must be the detector's"},
		{Name: "first_level", Kind: keypoints.Int, Default: int64(0), Min: 0, Max: 3, SameAs: "orb", Doc: "level of the image itself; must be the detector's"},
		{Name: "wta_k", Kind: keypoints.Int, Default: int64(2), Min: 2, Max: 4, Doc: "points compared at a time; 3 or 4 yield 128 times the number of the brightest, each written as three bits of which any two numbers differ in two"},
		{Name: "patch_size", Kind: keypoints.Int, Default: int64(31), Min: 2, Max: 255, SameAs: "orb", Doc: "width of the patch, px of the level; must be the detector's"},
	}
	akazeParams = []keypoints.Param{
		{Name: "descriptor_type", Kind: keypoints.Choice, Default: "mldb", Choices: []string{"mldb", "mldb_upright", "kaze", "kaze_upright"}, Doc: "mldb: 486 bits, or descriptor_size; kaze: 64 real numbers; upright: do not turn the window"},
		{Name: "descriptor_size", Kind: keypoints.Int, Default: int64(0), Min: 0, Max: 486, Doc: "of the 486 bits of mldb, so many, chosen at random once and for all; 0: all"},
		{Name: "n_octaves", Kind: keypoints.Int, Default: int64(4), Min: 1, Max: 8, SameAs: "akaze", Doc: "most octaves of the scale space; must be the detector's"},
		{Name: "n_octave_layers", Kind: keypoints.Int, Default: int64(4), Min: 1, Max: 8, SameAs: "akaze", Doc: "levels per octave; must be the detector's"},
		{Name: "diffusivity", Kind: keypoints.Choice, Default: "pm_g2", Choices: []string{"pm_g1", "pm_g2", "weickert", "charbonnier"}, SameAs: "akaze", Doc: "conductivity of the diffusion; must be the detector's"},
	}
	kazeParams = []keypoints.Param{
		{Name: "extended", Kind: keypoints.Bool, Default: false, Doc: "sum gradients by the sign of the other component too: 128 elements instead of 64"},
		{Name: "upright", Kind: keypoints.Bool, Default: false, Doc: "do not turn the window"},
		{Name: "gradients", Kind: keypoints.Choice, Default: "detector", Choices: []string{"detector", "compute"}, Doc: "detector: of the keypoint's scale, as the method has them, which OpenCV computes only for keypoints that it detects at once, so that no keypoint may have been moved; compute: of 3×3 px, as OpenCV's compute takes them, anywhere"},
		{Name: "threshold", Kind: keypoints.Float, Default: 0.001, Min: 0, Max: 1e6, SameAs: "kaze", Doc: "least determinant of a keypoint's Hessian; must be the detector's"},
		{Name: "n_octaves", Kind: keypoints.Int, Default: int64(4), Min: 1, Max: 8, SameAs: "kaze", Doc: "octaves of the scale space; must be the detector's"},
		{Name: "n_octave_layers", Kind: keypoints.Int, Default: int64(4), Min: 1, Max: 8, SameAs: "kaze", Doc: "layers per octave; must be the detector's"},
		{Name: "diffusivity", Kind: keypoints.Choice, Default: "pm_g2", Choices: []string{"pm_g1", "pm_g2", "weickert"}, SameAs: "kaze", Doc: "conductivity of the diffusion; must be the detector's"},
	}
	briskParams = []keypoints.Param{
		{Name: "pattern_scale", Kind: keypoints.Float, Default: 1.0, Min: 0.2, Max: 8, Doc: "factor on the sampling pattern"},
	}
)

// Kinds returns every kind of descriptor that a config may name.
func Kinds() []Kind {
	const (
		siftBecause = "SIFT takes from the keypoint the octave to look at, and the levels of ORB and BRISK are no octaves"
		vandeSande  = "van de Sande, Gevers, Snoek, Evaluating Color Descriptors for Object and Scene Recognition, PAMI 2010"
	)
	siftDetectors := everyDetectorBut("orb", "brisk")
	siftPatch := PatchFit{Size: PatchSide / 7.5, Why: "4 cells of 1.5 sizes each, plus half a cell on each side with partial weight"}
	return []Kind{
		{
			Name: "sift", Doc: "4×4 histograms of gradient orientations, 8 bins each, of the grey image",
			Dim: 128, Type: Uint8, Range: "integers 0 to 255", NonNegative: true,
			Invariances: "scale, rotation, affine change of intensity",
			Source:      "Lowe, Distinctive Image Features from Scale-Invariant Keypoints, IJCV 2004",
			Params:      siftParams, Detectors: siftDetectors, Because: siftBecause,
			Levels: "sift", Patch: siftPatch,
		},
		{
			Name: "rgbsift", Doc: "SIFT of the R, G and B channels at the same keypoints, concatenated in this order",
			Dim: 384, Type: Uint8, Range: "integers 0 to 255", NonNegative: true,
			Invariances: "scale, rotation, affine change of each channel's intensity",
			Source:      vandeSande,
			Params:      siftParams, Detectors: siftDetectors, Because: siftBecause,
			Levels: "sift", Patch: siftPatch,
		},
		{
			Name: "rgbsift_mean", Doc: "mean of the SIFT of the R, G and B channels at the same keypoints, element by element",
			Dim: 128, Type: Float32, Range: "thirds of integers, 0 to 255", NonNegative: true,
			Invariances: "scale, rotation, affine change of each channel's intensity",
			Source:      "RGB-SIFT (" + vandeSande + "), averaged over the channels",
			Params:      siftParams, Detectors: siftDetectors, Because: siftBecause,
			Levels: "sift", Patch: siftPatch,
		},
		{
			Name: "opponentsift", Doc: "SIFT of the opponent colours (R-G)/√2, (R+G-2B)/√6 and (R+G+B)/√3, each stretched to 0 to 255, concatenated in this order",
			Dim: 384, Type: Uint8, Range: "integers 0 to 255", NonNegative: true,
			Invariances: "scale, rotation, affine change of intensity common to the channels",
			Source:      vandeSande,
			Params:      siftParams, Detectors: siftDetectors, Because: siftBecause,
			Levels: "sift", Patch: siftPatch,
		},
		{
			Name: "usift", Doc: "upright SIFT: that of every keypoint at angle 0, whatever its own",
			Dim: 128, Type: Uint8, Range: "integers 0 to 255", NonNegative: true,
			Invariances: "scale, affine change of intensity",
			Source:      "Lowe, Distinctive Image Features from Scale-Invariant Keypoints, IJCV 2004, without the orientation of section 5",
			Params:      siftParams, Detectors: siftDetectors, Because: siftBecause,
			Levels: "sift", Patch: siftPatch,
		},
		{
			Name: "surf", Doc: "4×4 cells of sums of Haar wavelet responses and of their absolute values, of the grey image; 128 elements if extended",
			Dim: 64, Type: Float32, Range: "real numbers -1 to 1, rows of length 1",
			Invariances: "scale, rotation (unless upright), affine change of intensity",
			Source:      "Bay, Ess, Tuytelaars, Van Gool, Speeded-Up Robust Features (SURF), CVIU 2008",
			Params:      surfParams, shape: surfShape,
			Patch: PatchFit{Size: PatchSide / (20 * 1.2 / 9), Why: "window of 20 scales, each 1.2/9 of the size"},
		},
		{
			Name: "orb", Doc: "comparisons of pairs of pixels of a smoothed patch, turned by the keypoint's angle; 384 bits if wta_k is 3 or 4",
			Dim: 256, Type: Bits, Range: "bits",
			Invariances: "scale by the detector's levels, rotation, increasing affine change of intensity",
			Source:      "Rublee, Rabaud, Konolige, Bradski, ORB: An Efficient Alternative to SIFT or SURF, ICCV 2011",
			Params:      orbParams, shape: orbShape,
			Detectors: []string{"orb", "fast", "agast", "gftt"},
			Because:   "ORB takes from the keypoint's octave the level of its pyramid, where corners of the image itself have 0 and others number something else",
			Patch:     PatchFit{Size: 31 * math.Pow(1.2, 4), Margin: 72, Why: "window of 31 px on pyramid level 4, which is scaled down by 1.2⁴"},
		},
		{
			Name: "brisk", Doc: "comparisons of pairs of smoothed samples of a pattern of rings, scaled by the keypoint's size and turned by its own gradient; keypoints without room for it are invalid",
			Dim: 512, Type: Bits, Range: "bits",
			Invariances: "scale, rotation, increasing affine change of intensity",
			Source:      "Leutenegger, Chli, Siegwart, BRISK: Binary Robust Invariant Scalable Keypoints, ICCV 2011",
			Params:      briskParams,
			Patch:       PatchFit{Size: PatchSide / 3.12, Margin: 32, Why: "outermost ring at 1.28 sizes, smoothed by 0.26"},
		},
		{
			Name: "akaze", Doc: "M-LDB: comparisons of means of intensity and gradient over grids of 2×2, 3×3 and 4×4 cells in a nonlinear scale space; 64 real numbers if descriptor_type is kaze",
			Dim: 486, Type: Bits, Range: "bits; kaze: real numbers -1 to 1, rows of length 1",
			Invariances: "scale, rotation (unless upright), increasing affine change of intensity",
			Source:      "Alcantarilla, Nuevo, Bartoli, Fast Explicit Diffusion for Accelerated Features in Nonlinear Scale Spaces, BMVC 2013",
			Params:      akazeParams, shape: akazeShape,
			Detectors: []string{"akaze"},
			Because:   "AKAZE takes from the keypoint's class the level of its scale space",
			Levels:    "akaze", ByClass: true,
			Patch: PatchFit{Size: PatchSide / 10., Margin: 32, Why: "20 samples half a size apart"},
		},
		{
			Name: "kaze", Doc: "4×4 cells of sums of gradients and of their absolute values in a nonlinear scale space; 128 elements if extended",
			Dim: 64, Type: Float32, Range: "real numbers -1 to 1, rows of length 1",
			Invariances: "scale, rotation (unless upright), affine change of intensity",
			Source:      "Alcantarilla, Bartoli, Davison, KAZE Features, ECCV 2012",
			Params:      kazeParams, shape: surfShape,
			Detectors: []string{"kaze"},
			Because:   "KAZE takes from the keypoint's class the level of its scale space",
			Levels:    "kaze", ByClass: true, AnyKeypoint: keypoints.Params{"gradients": "compute"},
			Patch: PatchFit{Size: PatchSide / 12., First: 3.2, Margin: 32, Why: "24 samples half a size apart"},
		},
	}
}

func everyDetectorBut(names ...string) []string {
	var others []string
	for _, d := range keypoints.Detectors() {
		if !slices.Contains(names, d.Name) {
			others = append(others, d.Name)
		}
	}
	return others
}

func surfShape(p keypoints.Params) (int, ElementType) {
	if p.Bool("extended") {
		return 128, Float32
	}
	return 64, Float32
}

func orbShape(p keypoints.Params) (int, ElementType) {
	if p.Int("wta_k") == 2 {
		return 256, Bits
	}
	return 3 * 128, Bits
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
