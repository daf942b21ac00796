package config

import (
	"fmt"
	"slices"
	"strings"

	"descbench/eval/catalogue"
	"descbench/eval/matching"
	"descbench/eval/ranking"
)

// NeedsPlaces returns the keys of the config that need to know where a point lies in another image,
// as a homography says.
func (c *Config) NeedsPlaces() (keys []string) {
	for _, s := range c.KeypointSets {
		if s.Project != nil {
			keys = append(keys, fmt.Sprintf("keypoint_sets[%s].project", s.Name))
		}
	}
	e := c.Evaluation
	for _, k := range []struct {
		key string
		set bool
	}{
		{"relevance", e.Relevance == ranking.IdentityRelevant}, {"fixed_gallery", e.FixedGallery != nil}, {"shared_top_k", e.SharedTopK > 0},
		{"bojanic_2019", e.Bojanic2019 != nil}, {"workbench_tasks", e.WorkbenchTasks != nil},
	} {
		if k.set {
			keys = append(keys, "evaluation."+k.key)
		}
	}
	return keys
}

// poses reports whether a preset is for images with cameras.
func (p *Preset) poses() bool {
	return slices.ContainsFunc(p.Metrics, func(m PresetMetric) bool { return catalogue.Of(m.Name).Of == catalogue.Poses })
}

// FitEstimators makes the default of evaluation.estimators that of images with cameras, if they have
// some, and returns an *Error if the preset or another estimator does not apply to them: a homography is of a plane,
// whose images do not determine the pose of cameras.
func (c *Config) FitEstimators(cameras bool) error {
	e := &c.Evaluation
	if p := c.Preset(); p != nil && p.poses() != cameras {
		var names []string
		for _, other := range Presets() {
			if other.poses() == cameras {
				names = append(names, other.Name)
			}
		}
		kinds := map[bool]string{true: "images with cameras", false: "images with homographies"}
		return &Error{File: "evaluation.preset", Msg: fmt.Sprintf("%s is for %s, but these are %s; want one of %s", p.Name, kinds[!cameras], kinds[cameras], strings.Join(names, ", "))}
	}
	if cameras && slices.Equal(e.Estimators, defaults().Evaluation.Estimators) {
		e.Estimators = []string{matching.Essential}
	}
	for _, name := range e.Estimators {
		if at, err := matching.ParseEstimator(name); err == nil && at.Pose() != cameras {
			return &Error{File: "evaluation.estimators", Msg: at.Misplaced()}
		}
	}
	return nil
}
