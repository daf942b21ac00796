package config

import (
	"math"
	"path/filepath"

	"descbench/descriptors"
	"descbench/keypoints"
)

// A vocabulary is what a config may name beyond fixed words.
type vocabulary struct {
	detectors []keypoints.Detector
	kinds     []descriptors.Kind
}

// known is the vocabulary of the program.
func known() vocabulary {
	return vocabulary{detectors: keypoints.Detectors(), kinds: descriptors.Kinds()}
}

// defaults returns the Config of a file in folder that says nothing.
func defaults(folder string) *Config {
	return &Config{
		Dataset:    Dataset{Subset: "all"},
		Evaluation: Evaluation{TolerancePx: 3, Ties: "mean", Relevance: "nearest", Cutoffs: []int{1, 5, 10}},
		Output:     Output{Root: filepath.Join(folder, "../runs")},
	}
}

// maxTolerancePx is eval.MaxTolerancePx: records reach no further.
const maxTolerancePx = 10

// config is the whole of what a config may hold, bound to c.
func (v vocabulary) config(c *Config) mapping {
	return mapping{fields: []field{
		{key: "experiment", doc: "Names the run.", value: mapping{fields: []field{
			{key: "name", doc: "Name of the experiment and of its run folder.", value: text{to: &c.Experiment.Name, rule: nameRule}, required: "want a name"},
			{key: "description", doc: "One line for people.", value: text{to: &c.Experiment.Description, rule: anyText}, inert: true},
		}}},
		{key: "dataset", doc: "Which scenes take part.", value: mapping{fields: []field{
			// May be missing: --data gives it, too. check sees to that.
			{key: "root", doc: "Folder of scenes in HPatches layout; relative to the config file. --data replaces it.", value: path{to: &c.Dataset.Root}, inert: true},
			{key: "scenes", doc: "Names of the scenes; empty: all that the subset admits.", value: texts{to: &c.Dataset.Scenes, rule: sceneRule}},
			{key: "subset", doc: "all; 108: without the eight that D2-Net and others leave out; or one category.", value: choice{to: &c.Dataset.Subset, words: []string{"all", "108", "viewpoint", "illumination"}}},
		}}},
		{key: "keypoint_sets", doc: "Where keypoints come from.", required: "want a list of at least one keypoint set",
			value: named[KeypointSet]{to: &c.KeypointSets, fresh: zero[KeypointSet], item: v.keypointSet, what: "keypoint set"}},
		{key: "descriptors", doc: "What is compared.", required: "want a list of at least one descriptor",
			value: named[Descriptor]{to: &c.Descriptors, fresh: newDescriptor, item: v.descriptor, what: "descriptor"}},
		{key: "evaluation", doc: "How ranks are judged.", value: mapping{fields: []field{
			{key: "tolerance_px", doc: "Largest distance, in px, of the ground truth from the projected query.", value: number{to: &c.Evaluation.TolerancePx, min: 0, max: maxTolerancePx, above: true}},
			{key: "ties", doc: "Rank among candidates at the same distance: mean, strict (first) or workbench (half, rounded up).", value: choice{to: &c.Evaluation.Ties, words: []string{"mean", "strict", "workbench"}}},
			{key: "relevance", doc: "Which candidates answer a query: nearest, the ground truth alone.", value: choice{to: &c.Evaluation.Relevance, words: []string{"nearest"}}},
			{key: "cutoffs", doc: "The K of precision_at_K, ascending.", value: ascending{to: &c.Evaluation.Cutoffs}},
		}}},
		{key: "output", doc: "Where results go.", inert: true, value: mapping{fields: []field{
			{key: "root", doc: "Folder of run folders; relative to the config file. --out replaces it.", value: path{to: &c.Output.Root}},
			{key: "database", doc: "Shared SQLite file that takes the results of many runs; relative to the config file.", value: path{to: &c.Output.Database, optional: true}},
		}}},
	}}
}

func zero[T any]() T { return *new(T) }

// keypointSet lists the steps in the order in which they apply.
func (v vocabulary) keypointSet(s *KeypointSet) mapping {
	return mapping{
		fields: []field{
			{key: "name", doc: "Name of the set.", value: text{to: &s.Name, rule: nameRule}, required: "want a name"},
			{key: "detect", doc: "Detect keypoints in every image.", value: optional[Detect]{to: &s.Detect, fresh: zero[Detect], item: v.detect}},
			{key: "from", doc: "Start from another set.", value: text{to: &s.From, rule: nameRule}},
			{key: "border", doc: "Drop the keypoints too near to the image's edge; a number alone is px.", value: optional[Border]{to: &s.Border, fresh: newBorder, item: border}},
			{key: "top", doc: "Keep the first keypoints by a measure, descending.", value: optional[Top]{to: &s.Top, fresh: newTop, item: top}},
			{key: "project", doc: "Move the keypoints of image 1 to the others by the homographies.", value: optional[Project]{to: &s.Project, fresh: newProject, item: project}},
		},
		exactlyOne: []string{"detect", "from"},
	}
}

func (v vocabulary) detect(d *Detect) mapping {
	specs := func() []keypoints.Param {
		for _, k := range v.detectors {
			if k.Name == d.Type {
				return k.Params
			}
		}
		return nil
	}
	var names []string
	for _, k := range v.detectors {
		names = append(names, k.Name)
	}
	return mapping{variants: &variants{
		doc: "The detector.", typ: &d.Type, names: names,
		start: func() { d.Params = keypoints.Defaults(specs()) },
		rest:  func() []field { return paramFields(specs(), d.Params) },
	}}
}

func newBorder() Border { return Border{Rule: "closed"} }

func border(b *Border) mapping {
	return mapping{short: "px", fields: []field{
		{key: "px", doc: "Width of the border.", value: number{to: &b.Px, min: 0, max: math.MaxFloat64}, required: "want the width of the border in px"},
		{key: "rule", doc: "closed keeps px ≤ x ≤ width - px, half_open px ≤ x < width - px; y likewise.", value: choice{to: &b.Rule, words: []string{"closed", "half_open"}}},
	}}
}

func newTop() Top { return Top{By: "response"} }

func top(t *Top) mapping {
	return mapping{fields: []field{
		{key: "by", doc: "The measure.", value: choice{to: &t.By, words: []string{"response"}}},
		{key: "per_image", doc: "How many to keep of every image.", value: integer{to: &t.PerImage, min: 1, max: math.MaxInt32}, required: "want how many keypoints to keep of every image"},
	}}
}

func newProject() Project { return Project{FromImage: 1, Carry: "position", Bounds: "own"} }

func project(p *Project) mapping {
	return mapping{fields: []field{
		{key: "from_image", doc: "The image whose keypoints move.", value: integer{to: &p.FromImage, min: 1, max: 1}},
		{key: "carry", doc: "position: size, angle and octave stay as they are.", value: choice{to: &p.Carry, words: []string{"position"}}},
		{key: "bounds", doc: "The border applies in an image of this size: own, the image moved to; image1, that moved from.", value: choice{to: &p.Bounds, words: []string{"own", "image1"}}},
	}}
}

func newDescriptor() Descriptor { return Descriptor{Root: "none"} }

func (v vocabulary) descriptor(x *Descriptor) mapping {
	kind := func() descriptors.Kind {
		for _, k := range v.kinds {
			if k.Name == x.Type {
				return k
			}
		}
		return descriptors.Kind{}
	}
	var names []string
	for _, k := range v.kinds {
		names = append(names, k.Name)
	}
	return mapping{
		fields: []field{
			{key: "name", doc: "Name of the descriptor in tables and files.", value: text{to: &x.Name, rule: nameRule}, required: "want a name"},
		},
		variants: &variants{
			doc: "The kind of descriptor.", typ: &x.Type, names: names,
			start: func() {
				x.Params = keypoints.Defaults(kind().Params)
				x.Normalize = normalizations(kind())[0]
			},
			rest: func() []field {
				// keypoints may be missing where there is one set only; check
				// sees to that.
				fields := []field{{key: "keypoints", doc: "Name of the keypoint set; by default the only one.", value: text{to: &x.Keypoints, rule: nameRule}}}
				fields = append(fields, paramFields(kind().Params, x.Params)...)
				return append(fields, rowFields(kind(), x)...)
			},
		},
	}
}

// rowFields are what may be done to the rows of a kind of descriptor.
func rowFields(k descriptors.Kind, x *Descriptor) []field {
	root := choice{to: &x.Root, words: []string{"none", "l1"}}
	if !k.NonNegative || k.Type == descriptors.Bits {
		root.words, root.why = root.words[:1], "rooting needs elements that are never negative"
	}
	normalize := choice{to: &x.Normalize, words: normalizations(k)}
	if k.Type == descriptors.Bits {
		normalize.why = "bits are compared as they are"
	}
	return []field{
		{key: "root", doc: "l1: divide every row by its L1 norm and take the square roots.", value: root},
		{key: "normalize", doc: "Norm by which every row is divided, after the root.", value: normalize},
	}
}

// normalizations returns what a kind of descriptor admits, the default first.
func normalizations(k descriptors.Kind) []string {
	if k.Type == descriptors.Bits {
		return []string{"none"}
	}
	return []string{"l2", "l1", "none"}
}
