package config

import (
	"slices"

	"descbench/descriptors"
	"descbench/eval/matching"
	"descbench/eval/spelling"
	"descbench/keypoints"
	"descbench/pipeline/files/importer"
)

// Types of descriptors in addition to the built-in kinds.
const (
	fusionType = "fusion"
	fileType   = "file"

	matchesType = "matches"
)

func descriptor(x *Descriptor) mapping {
	return mapping{
		fields: []field{
			{key: "name", doc: "Name of the descriptor in tables and files.", value: text{to: &x.Name, rule: nameRule}, required: "want a name"},
			{key: "label", doc: labelDoc, value: text{to: &x.Label, rule: labelRule}, inert: true},
			{key: "variant", doc: "The entry of variants that gave the descriptor, and its label in each dimension, for compare --factor.", value: maybe(&x.Variant, Variant{}, variant), inert: true},
		},
		variants: &variants{
			doc: "The kind of descriptor.", typ: &x.Type, names: typeNames(),
			start: func() { begin(x) },
			rest:  func() []field { return descriptorFields(x) },
		},
	}
}

// typeNames returns every type that a descriptor may have.
func typeNames() []string {
	names := spelling.Words(descriptors.Kinds(), func(k descriptors.Kind) string { return k.Name })
	return append(names, fusionType, commandType, fileType, matchesType)
}

// kindOf returns the kind of a descriptor's type. The rows of other types are
// checked once they are computed or read.
func kindOf(name string) descriptors.Kind {
	if k, ok := descriptors.FindKind(name); ok {
		return k
	}
	return descriptors.Kind{Name: name, Type: descriptors.Float32, NonNegative: true}
}

// begin sets the defaults of a descriptor's type.
func begin(x *Descriptor) {
	k := kindOf(x.Type)
	x.Params = keypoints.Defaults(k.Params)
	x.Normalize = normalizations(k.Type)[0]
	if k.Unscaled {
		x.Normalize = descriptors.NoNorm
	}
	x.Fusion, x.Command, x.File, x.Matches = nil, nil, nil, nil
	switch x.Type {
	case fusionType:
		x.Fusion = &Fusion{Aggregate: descriptors.Concatenate}
	case commandType:
		x.Command = newCommand()
		x.Command.Operation = Describe
	case fileType:
		x.File = &File{Origin: importer.Center}
	case matchesType:
		x.Matches, x.Normalize = &Matches{Origin: importer.Center}, descriptors.NoNorm
	}
}

func descriptorFields(x *Descriptor) []field {
	if x.Matches != nil && x.Command == nil {
		return matchesFields(x)
	}
	k := kindOf(x.Type)
	// keypoints is optional if there is only one set; check fills it in.
	set := []field{{key: "keypoints", doc: "Name of the keypoint set, or NAME.a or NAME.b for a side of an intersection; optional if there is only one set.", value: text{to: &x.Keypoints, rule: nameRule}}}
	pool := []field{{key: "pooling", doc: "Describe every keypoint in windows of several sizes and pool these rows into one, the keypoint's.", value: maybe(&x.Pooling, descriptors.Pooling{}, func(p *descriptors.Pooling) mapping { return pooling(p, k.NonNegative) })}}
	var own []field
	switch {
	case x.Fusion != nil:
		set, pool = nil, nil // as in the descriptors that it fuses
		own = fusionFields(x.Fusion)
	case x.Command != nil:
		set[0].doc = "Name of the keypoint set; optional if there is only one. With operation detect, a set that the same program detects; by default a new set with the descriptor's name. With operation match, optional: without keypoints, the program gets the images only."
		own = describerFields(x.Command)
	case x.File != nil:
		set[0].doc = "Name of a keypoint set that starts with the import of the same files; by default a new set with the descriptor's name."
		pool = nil
		own = append(fileFields(&x.File.Path, &x.File.Origin), field{
			key: "elements", doc: "Type of the rows, if the files do not state it: bits, packed in bytes and compared by Hamming distance, uint8 or float32. Exported files state it; it is required if other files have rows of up to 64 bytes.",
			value: oneWord(&x.File.Elements, importer.Bits, importer.Uint8, importer.Float32),
		})
	default:
		if !poolable(k) {
			pool = nil
		}
		own = paramFields(k.Params, x.Params)
	}
	item := matcher
	if x.Command != nil && x.Command.Operation == Match { // known to what encodes; addMatchers checks what is read
		item = pairMatcher
	}
	match := field{key: "matcher", doc: "Which nearest neighbours are matches; default: evaluation.matcher. With operation match: which of the matches to evaluate; default: all.", value: maybe(&x.Matcher, matching.Mutual, item)}
	return slices.Concat(set, own, pool, rowFields(k, x), []field{match})
}

// matchersOfRows are the keys of a matcher that do not apply to imported matches.
var matchersOfRows = []string{"cross_check", "ratio", "min_similarity"}

// pairMatcher is the matcher of imported matches, which are pairs without other candidates.
func pairMatcher(m *matching.Matcher) mapping {
	all := matcher(m)
	all.fields = slices.DeleteFunc(all.fields, func(f field) bool { return slices.Contains(matchersOfRows, f.key) })
	return all
}

// matchesFields are the keys of imported matches.
func matchesFields(x *Descriptor) []field {
	located := fileFields(&x.Matches.Path, &x.Matches.Origin)
	located[0].doc = "Path of the file of an image pair (1, K); relative to the config file. {root} stands for dataset.root, {scene} for the scene's name, {image} for the name of the file of image K, with or without its extension (1 and 2 for the images of a pair with the same name)."
	return append(located,
		field{key: "keypoints", doc: "Name of the keypoint set whose rows the files match; required if they have only row numbers. Without it, the files have the positions of the matches, and metrics of keypoints are left out.", value: text{to: &x.Keypoints, rule: nameRule}},
		field{key: "matcher", doc: "Which of the matches to evaluate; needs scores or distances; default: all.", value: maybe(&x.Matcher, matching.Matcher{}, pairMatcher)},
	)
}

// fusionFields accepts two or more parts.
func fusionFields(f *Fusion) []field {
	return []field{
		{key: "of", doc: "Names of the descriptors to fuse, with their root, norm and pooling applied.", value: names(&f.Of, nameRule, 2), required: "want a list of at least two descriptors"},
		{key: "aggregate", doc: "How to combine their rows.", value: oneWord(&f.Aggregate, descriptors.Concatenate, descriptors.Mean)},
	}
}

// Domain sizes outside this range, or more than maxScales of them, are mistakes.
const (
	minScale, maxScale = 0.01, 100
	maxScales          = 32
)

func pooling(p *descriptors.Pooling, nonNegative bool) mapping {
	kind := "domain_size" // the only one, and no field of Pooling
	root := oneWord(&p.RootEach, descriptors.NoNorm, descriptors.L1)
	if !nonNegative {
		root.words, root.why = root.words[:1], mayBeNegative
	}
	scales := numbers(&p.Scales, number{min: minScale, max: maxScale})
	scales.min, scales.max, scales.distinct = 1, maxScales, true
	return mapping{fields: []field{
		{key: "type", doc: "Kind of pooling; domain_size: Dong, Soatto, Domain-Size Pooling in Local Descriptors, CVPR 2015.", value: oneWord(&kind, kind)},
		{key: "scales", doc: "Domain sizes, as multiples of the keypoint's size.", value: scales, required: "want a list of domain sizes, such as [0.85, 1, 1.3]"},
		{key: "aggregate", doc: "How to combine the rows: concatenate needs all scales, mean skips those that do not fit in the image.", value: oneWord(&p.Aggregate, descriptors.Mean, descriptors.Concatenate)},
		{key: "root_each", doc: "l1: divide the row of each scale by its L1 norm and take square roots.", value: root},
		{key: "normalize_each", doc: "Norm to divide the row of each scale by, after root_each.", value: oneWord(&p.NormalizeEach, descriptors.NoNorm, descriptors.L2, descriptors.L1)},
	}}
}

// poolable reports whether rows of a kind can be pooled.
func poolable(k descriptors.Kind) bool {
	return k.Type != descriptors.Bits && (!k.BoundToDetector() || slices.ContainsFunc(k.Detectors, keypoints.FollowsSize))
}

// bitsStay is the reason why binary rows are not transformed.
const bitsStay = "binary rows are compared unchanged"

// rowFields are the keys that transform the rows of a kind of descriptor. checkRows refuses them for
// binary rows.
func rowFields(k descriptors.Kind, x *Descriptor) []field {
	root := oneWord(&x.Root, descriptors.NoNorm, descriptors.L1)
	if !k.NonNegative {
		root.words, root.why = root.words[:1], mayBeNegative
	}
	return []field{
		{key: "root", doc: "l1: divide every row by its L1 norm and take square roots.", value: root},
		{key: "normalize", doc: "Norm to divide every row by, after root. l2 leaves binary rows from files unchanged.", value: oneWord(&x.Normalize, normalizations(descriptors.Float32)...)},
	}
}

const mayBeNegative = "root needs non-negative elements"

// normalizations returns the norms that apply to rows of a type, the default
// first.
func normalizations(t descriptors.ElementType) []descriptors.Norm {
	if t == descriptors.Bits {
		return []descriptors.Norm{descriptors.NoNorm}
	}
	return []descriptors.Norm{descriptors.L2, descriptors.L1, descriptors.NoNorm}
}
