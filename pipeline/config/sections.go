package config

import (
	"path/filepath"

	"descbench/descriptors"
	"descbench/eval"
	"descbench/eval/scope"
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
		Evaluation: Evaluation{TolerancePx: 3, Ties: eval.Mean, Relevance: NearestRelevant, Cutoffs: []int{1, 5, 10}, Estimators: []string{"ransac", "magsac"}},
		Output:     Output{Root: filepath.Join(folder, "../runs")},
	}
}

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
			{key: "subset", doc: "all; 108: without the eight that D2-Net and others leave out; or one category.", value: oneWord(&c.Dataset.Subset, "all", "108", scope.Viewpoint, scope.Illumination)},
		}}},
		// May be missing: descriptors of type file bring keypoints along. check
		// sees to that.
		{key: "keypoint_sets", doc: "Where keypoints come from.",
			value: named[KeypointSet]{to: &c.KeypointSets, fresh: zero[KeypointSet], item: v.keypointSet, what: "keypoint set"}},
		{key: "descriptors", doc: "What is compared.", required: "want a list of at least one descriptor",
			value: named[Descriptor]{to: &c.Descriptors, fresh: zero[Descriptor], item: v.descriptor, what: "descriptor"}},
		{key: "evaluation", doc: "How ranks are judged, and what else is computed.", value: evaluation(&c.Evaluation)},
		{key: "output", doc: "Where results go.", inert: true, value: mapping{fields: []field{
			{key: "root", doc: "Folder of run folders; relative to the config file. --out replaces it.", value: path{to: &c.Output.Root}},
			{key: "database", doc: "Shared SQLite file that takes the results of many runs; relative to the config file.", value: path{to: &c.Output.Database, optional: true}},
		}}},
	}}
}

func zero[T any]() T { return *new(T) }
