package config

import (
	"path/filepath"

	"descbench/eval/matching"
	"descbench/eval/ranking"
	"descbench/eval/scope"
)

// DefaultMaxMegapixels and MaxMegapixels are the default and the largest value of
// dataset.max_megapixels. OpenCV counts the bytes of an image in 31 bits.
const (
	DefaultMaxMegapixels = 40
	MaxMegapixels        = 250
)

// runsFolder returns the parent of the run folders of a config that names none: runs in
// the current folder.
func runsFolder() string {
	abs, _ := filepath.Abs("runs") // fails without a current folder only
	return abs
}

// protocolTolerancePx is the tolerance of protocol r1.
const protocolTolerancePx = 3

// defaults returns the Config of an empty file.
func defaults() *Config {
	return &Config{
		Dataset:    Dataset{Subset: "all", MaxMegapixels: DefaultMaxMegapixels},
		Evaluation: Evaluation{Options: ranking.Options{TolerancePx: protocolTolerancePx, Ties: ranking.Mean, Relevance: ranking.NearestRelevant, Cutoffs: []int{1, 5, 10}, ExcludeInvalidTruths: true}, Estimators: []string{"ransac", "magsac"}, Draws: matching.Draws{Homographies: 5, Poses: 1}},
		Output:     Output{Root: runsFolder()},
	}
}

// allSections describes all keys of a config and binds them to c.
func allSections(c *Config) mapping {
	return mapping{fields: []field{
		{key: "experiment", doc: "Name and description of the experiment.", value: mapping{fields: []field{
			{key: "name", doc: "Name of the experiment and of its run folder.", value: text{to: &c.Experiment.Name, rule: nameRule}, required: "want a name"},
			{key: "description", doc: "One-line description for readers.", value: text{to: &c.Experiment.Description, rule: anyText}, inert: true},
		}}},
		{key: "dataset", doc: "The scenes to evaluate.", value: mapping{fields: []field{
			// Optional here, because --data can give it. check requires one of the two.
			{key: "root", doc: "Folder of scenes in HPatches layout, or with cameras (see docs/data.md); relative to the config file. --data overrides it.", value: path{to: &c.Dataset.Root}, inert: true},
			{key: "pairs", doc: "List of pairs of images below root with their cameras, a scene each, as SuperGlue and glue-factory have it; relative to the config file (see docs/data.md).", value: path{to: &c.Dataset.Pairs, optional: true}, inert: true},
			{key: "groups", doc: "File with a line SCENE GROUP for each scene: scenes of one place, which intervals and tests draw together and which are then called GROUP/SCENE; relative to the config file (see docs/data.md).", value: path{to: &c.Dataset.Groups, optional: true}, inert: true},
			{key: "origin", doc: "Where the principal points of cameras are measured from: the center of the first pixel, or its corner, as in COLMAP and glue-factory.", value: eitherWord(&c.Dataset.Corner, "center", "corner")},
			{key: "scenes", doc: "Names of the scenes, or of groups of them; null, or an empty list in a file: all scenes of the subset.", value: scenes(&c.Dataset.Scenes)},
			{key: "subset", doc: "all; 108: without the eight scenes that D2-Net and others exclude; or one category.", value: oneWord(&c.Dataset.Subset, "all", "108", scope.Viewpoint, scope.Illumination)},
			{key: "resize", doc: "Resize every image, and the homographies and cameras with it, before anything else; errors are then in pixels of the resized images. Exactly one of short_side, long_side, factor and width with height; null: not, even if a preset does.", value: maybe(&c.Dataset.Resize, Resize{Interpolation: "auto"}, resize).orNull()},
			{key: "depth_tolerance", doc: "With depth: a point is occluded if its depth and that of the depth image differ by more than this share of the latter (0.05).", value: number{min: 0, max: 1, above: true}.into(&c.Dataset.DepthTolerance)},
			// Decides whether there are results, not what they are.
			{key: "max_megapixels", doc: "Largest image that is decoded, in 10^6 pixels; a scene with a larger image fails. SIFT needs about 240 MB of memory per megapixel and worker.", value: integer{min: 1, max: MaxMegapixels}.into(&c.Dataset.MaxMegapixels), inert: true},
			{key: "trust", doc: "Evaluate scenes whose images contradict their homographies, which otherwise fail.", value: boolean(&c.Dataset.Trust), inert: true},
		}}},
		// Optional here, because descriptors of type file define their own
		// keypoint sets. check requires at least one set.
		{key: "keypoint_sets", doc: "Sources of keypoints.", value: named[KeypointSet]{to: &c.KeypointSets, item: keypointSet, what: "keypoint set"}},
		// Optional here, because variants can give them. check requires one.
		{key: "descriptors", doc: "The descriptors to compare.", value: named[Descriptor]{to: &c.Descriptors, item: descriptor, what: "descriptor"}},
		{key: variantsKey, doc: "More descriptors, one for each combination of settings.", value: variantsList{named[Variant]{to: new([]Variant), item: variant}}},
		{key: "evaluation", doc: "Rules of the evaluation, and optional metrics.", value: evaluation(&c.Evaluation)},
		{key: "output", doc: "Where to write results.", inert: true, value: mapping{fields: []field{
			{key: "root", doc: "Parent of the run folders; relative to the config file, by default runs in the current folder. --out overrides it.", value: path{to: &c.Output.Root}},
			{key: "database", doc: "Shared SQLite file that collects the results of many runs; relative to the config file.", value: path{to: &c.Output.Database, optional: true}},
		}}},
	}}
}

func resize(r *Resize) mapping {
	side := func(to *int) codec { return integer{min: 16, max: 16384}.into(to) }
	return mapping{exactlyOne: []string{"short_side", "long_side", "factor", "width"}, fields: []field{
		{key: "short_side", doc: "Length of the shorter side, px.", value: side(&r.ShortSide)},
		{key: "long_side", doc: "Length of the longer side, px.", value: side(&r.LongSide)},
		{key: "factor", doc: "Factor of width and height.", value: number{min: 0, max: 16, above: true}.into(&r.Factor)},
		{key: "width", doc: "Width, px, with height; images are stretched, or cropped with crop.", value: side(&r.Width)},
		{key: "height", doc: "Height, px, with width.", value: side(&r.Height)},
		{key: "crop", doc: "With width and height: keep the aspect ratio and cut the rest off evenly on both sides.", value: boolean(&r.Crop)},
		{key: "round", doc: "Sizes to the nearest whole number of pixels, or down.", value: eitherWord(&r.RoundDown, "nearest", "down")},
		{key: "multiple_of", doc: "Round both sides down to multiples of so many px, as networks need them; not with width.", value: integer{min: 0, max: 256}.into(&r.MultipleOf)},
		{key: "interpolation", doc: "auto (area to shrink, linear to enlarge); area or linear of OpenCV; antialias, a Gaussian before linear interpolation (kornia).", value: oneWord(&r.Interpolation, "auto", "area", "linear", "antialias")},
		{key: "coordinates", doc: "edges: the edges of an image stay its edges; scaled: coordinates of pixel centres are multiplied by the ratio of the sizes.", value: eitherWord(&r.Scaled, "edges", "scaled")},
	}}
}
