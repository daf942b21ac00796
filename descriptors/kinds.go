package descriptors

import "descbench/keypoints"

// A Kind describes a kind of descriptor to configs and to readers. What
// computes it is package extract.
type Kind struct {
	Name        string
	Doc         string // one line
	Dim         int    // elements per row
	Type        ElementType
	Range       string // of one element
	NonNegative bool   // rooting needs this
	Invariances string
	Source      string // author, title, venue
	Params      []keypoints.Param
}

// siftParams are the parameters of OpenCV's SIFT that change its descriptors,
// and which pyramid they are taken from.
var siftParams = []keypoints.Param{
	{Name: "n_octave_layers", Kind: keypoints.Int, Default: int64(3), Min: 1, Max: 5, SameAs: "sift", Doc: "layers per octave of the scale space; must be the detector's"},
	{Name: "sigma", Kind: keypoints.Float, Default: 1.6, Min: 0.5, Max: 10, SameAs: "sift", Doc: "blur of the first layer, px; must be the detector's"},
	{Name: "pyramid", Kind: keypoints.Choice, Default: "full", Choices: []string{"full", "opencv"}, Doc: "full: always start at the doubled image, so that a row does not depend on its company; opencv: only if some keypoint has octave -1"},
}

// Kinds returns every kind of descriptor that a config may name.
func Kinds() []Kind {
	return []Kind{
		{
			Name: "sift", Doc: "4×4 histograms of gradient orientations, 8 bins each, of the grey image",
			Dim: 128, Type: Uint8, Range: "integers 0 to 255", NonNegative: true,
			Invariances: "scale, rotation, affine change of intensity",
			Source:      "Lowe, Distinctive Image Features from Scale-Invariant Keypoints, IJCV 2004",
			Params:      siftParams,
		},
		{
			Name: "rgbsift", Doc: "SIFT of the R, G and B channels at the same keypoints, concatenated in this order",
			Dim: 384, Type: Uint8, Range: "integers 0 to 255", NonNegative: true,
			Invariances: "scale, rotation, affine change of each channel's intensity",
			Source:      "van de Sande, Gevers, Snoek, Evaluating Color Descriptors for Object and Scene Recognition, PAMI 2010",
			Params:      siftParams,
		},
	}
}
