package config

import (
	"maps"
	"math"
	"slices"

	"descbench/descriptors"
	"descbench/descriptors/importer"
	"descbench/keypoints"
)

// Types of descriptors beside the kinds that are computed from an image by
// themselves.
const (
	fusionType = "fusion"
	onnxType   = "onnx"
	fileType   = "file"
)

func (v vocabulary) descriptor(x *Descriptor) mapping {
	return mapping{
		fields: []field{
			{key: "name", doc: "Name of the descriptor in tables and files.", value: text{to: &x.Name, rule: nameRule}, required: "want a name"},
		},
		variants: &variants{
			doc: "The kind of descriptor.", typ: &x.Type, names: v.types(),
			start: func() { v.begin(x) },
			rest:  func() []field { return v.descriptorFields(x) },
		},
	}
}

// types returns every type that a descriptor may have.
func (v vocabulary) types() []string {
	var names []string
	for _, k := range v.kinds {
		names = append(names, k.Name)
	}
	return append(names, fusionType, onnxType, fileType)
}

// kind returns the kind of a descriptor's type. What the rows of the other types
// are is known when they are there.
func (v vocabulary) kind(name string) descriptors.Kind {
	for _, k := range v.kinds {
		if k.Name == name {
			return k
		}
	}
	return descriptors.Kind{Name: name, Type: descriptors.Float32, NonNegative: true}
}

// begin sets the defaults that go with a descriptor's type.
func (v vocabulary) begin(x *Descriptor) {
	k := v.kind(x.Type)
	x.Params = keypoints.Defaults(k.Params)
	x.Normalize = normalizations(k.Type)[0]
	x.Fusion, x.ONNX, x.File = nil, nil, nil
	switch x.Type {
	case fusionType:
		x.Fusion = &Fusion{Aggregate: descriptors.Concatenate}
	case onnxType:
		x.ONNX = &ONNX{InputSize: 32, Magnification: 6, Channels: "gray", Mean: []float64{0}, Std: []float64{255}, Batch: 64}
	case fileType:
		x.File = &File{Origin: importer.Center}
	}
}

func (v vocabulary) descriptorFields(x *Descriptor) []field {
	k := v.kind(x.Type)
	// keypoints may be missing where there is one set only; check sees to that.
	set := field{key: "keypoints", doc: "Name of the keypoint set, or of a side of an intersection, NAME.a or NAME.b; by default the only one.", value: text{to: &x.Keypoints, rule: nameRule}}
	pool := field{key: "pooling", doc: "Describe every keypoint at several domain sizes and make one row of theirs.", value: optional[Pooling]{to: &x.Pooling, fresh: zero[Pooling], item: func(p *Pooling) mapping { return pooling(p, k.NonNegative) }}}
	var own []field
	switch {
	case x.Fusion != nil:
		set.value = forbidden{"a fusion has the keypoints of what it fuses"}
		pool.value = forbidden{"pool what it fuses"}
		own = fusionFields(x.Fusion)
	case x.ONNX != nil:
		own = onnxFields(x.ONNX)
	case x.File != nil:
		set.doc = "Name of a keypoint set that begins with the import of the same files; by default a new one, named as the descriptor."
		pool.value = forbidden{"these descriptors are computed elsewhere"}
		own = fileFields(&x.File.Path, &x.File.Origin)
	default:
		if why := unpoolable(k); why != "" {
			pool.value = forbidden{why}
		}
		own = paramFields(k.Params, x.Params)
	}
	return slices.Concat([]field{set}, own, []field{pool}, rowFields(k, x))
}

// fusionFields takes any number of parts from two.
func fusionFields(f *Fusion) []field {
	return []field{
		{key: "of", doc: "Names of the descriptors to fuse, finished as they are compared.", value: texts{to: &f.Of, rule: nameRule, min: 2}, required: "want a list of at least two descriptors"},
		{key: "aggregate", doc: "How their rows become one; weighted, a mean by weights.", value: oneWord(&f.Aggregate, descriptors.Concatenate, descriptors.Mean, descriptors.Max, descriptors.Min, descriptors.Weighted)},
		{key: "weights", doc: "A weight for each, with aggregate weighted.", value: weights(&f.Weights)},
	}
}

func onnxFields(o *ONNX) []field {
	return []field{
		{key: "model", doc: "Path of the ONNX file; relative to the config file.", value: path{to: &o.Model}, required: "want the path of an ONNX file"},
		{key: "input_size", doc: "Side of the network's input, px.", value: integer{to: &o.InputSize, min: 1, max: 1024}},
		{key: "magnification", doc: "Side of the patch by the keypoint's size; 6 is the width of SIFT's window.", value: number{to: &o.Magnification, min: 0, max: 1000, above: true}},
		{key: "channels", doc: "What the network sees of a pixel, in its order.", value: oneWord(&o.Channels, "gray", "bgr", "rgb")},
		{key: "mean", doc: "Taken off pixels, which are from 0 to 255; a number, or one for each channel.", value: perChannel{to: &o.Mean, each: number{min: -math.MaxFloat64, max: math.MaxFloat64}}},
		{key: "std", doc: "What pixels are divided by after that; a number, or one for each channel.", value: perChannel{to: &o.Std, each: number{min: 0, max: math.MaxFloat64, above: true}}},
		{key: "standardize", doc: "Use the mean and standard deviation of each patch instead.", value: boolean{to: &o.Standardize}},
		{key: "upright", doc: "Do not turn the patch by the keypoint's angle.", value: boolean{to: &o.Upright}},
		{key: "batch", doc: "Patches that the network sees at a time; a model whose batch is fixed needs that.", value: integer{to: &o.Batch, min: 1, max: 4096}},
	}
}

// Domain sizes further from the keypoint's own are mistakes, and more of them
// than maxScales as well.
const (
	minScale, maxScale = 0.01, 100
	maxScales          = 32
)

func pooling(p *Pooling, nonNegative bool) mapping {
	kind := "domain_size" // the only one, and no field of Pooling
	root := oneWord(&p.RootEach, descriptors.NoNorm, descriptors.L1)
	if !nonNegative {
		root.words, root.why = root.words[:1], mayBeNegative
	}
	return mapping{fields: []field{
		{key: "type", doc: "Dong, Soatto, Domain-Size Pooling in Local Descriptors, CVPR 2015.", value: oneWord(&kind, kind)},
		{key: "scales", doc: "Domain sizes, as factors of the keypoint's size.", value: numbers{to: &p.Scales, each: number{min: minScale, max: maxScale}, min: 1, max: maxScales, distinct: true}, required: "want a list of domain sizes, as [0.85, 1, 1.3]"},
		{key: "weights", doc: "Of the scales in a mean: a word for weights that fall off with the scale's distance from 1, or a list.", value: weighting{word: &p.Weights, list: &p.WeightList}},
		{key: "aggregate", doc: "How the rows become one: concatenate needs all, the others take those that the image can hold.", value: oneWord(&p.Aggregate, descriptors.Mean, descriptors.Max, descriptors.Min, descriptors.Concatenate)},
		{key: "fixed_octave", doc: "Scale the window only, and look at the image of the keypoint's own octave.", value: boolean{to: &p.FixedOctave}},
		{key: "root_each", doc: "l1: divide the row of each scale by its L1 norm and take the square roots.", value: root},
		{key: "normalize_each", doc: "Norm by which the row of each scale is divided, after that.", value: oneWord(&p.NormalizeEach, descriptors.NoNorm, descriptors.L2, descriptors.L1)},
	}}
}

// unpoolable says why rows of that kind cannot be pooled; "" if they can.
func unpoolable(k descriptors.Kind) string {
	switch {
	case k.BoundToDetector() && !slices.ContainsFunc(k.Detectors, keypoints.FollowsSize):
		return k.Because
	case k.Type == descriptors.Bits:
		return bitsStay
	}
	return ""
}

// bitsStay explains why nothing is done to binary rows.
const bitsStay = "bits are compared as they are"

// rowFields are what may be done to the rows of a kind of descriptor, whatever
// its parameters; check looks at these.
func rowFields(k descriptors.Kind, x *Descriptor) []field {
	root := oneWord(&x.Root, descriptors.NoNorm, descriptors.L1)
	normalize := oneWord(&x.Normalize, normalizations(descriptors.Float32)...)
	if !k.NonNegative || alwaysBits(k) {
		root.words, root.why = root.words[:1], mayBeNegative
	}
	if alwaysBits(k) {
		normalize.words, normalize.why = normalizations(descriptors.Bits), bitsStay
	}
	return []field{
		{key: "root", doc: "l1: divide every row by its L1 norm and take the square roots.", value: root},
		{key: "normalize", doc: "Norm by which every row is divided, after the root.", value: normalize},
	}
}

// alwaysBits reports whether the rows of a kind are of bits whatever choices
// its parameters offer.
func alwaysBits(k descriptors.Kind) bool {
	defaults := keypoints.Defaults(k.Params)
	for _, p := range k.Params {
		for _, word := range p.Choices {
			other := maps.Clone(defaults)
			other[p.Name] = word
			if _, t := k.Shape(other); t != descriptors.Bits {
				return false
			}
		}
	}
	_, t := k.Shape(defaults)
	return t == descriptors.Bits
}

const mayBeNegative = "rooting needs elements that are never negative"

// normalizations returns what rows of such elements admit, the default first.
func normalizations(t descriptors.ElementType) []descriptors.Norm {
	if t == descriptors.Bits {
		return []descriptors.Norm{descriptors.NoNorm}
	}
	return []descriptors.Norm{descriptors.L2, descriptors.L1, descriptors.NoNorm}
}
