package config

import (
	"fmt"
	"slices"

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

// FitEstimators makes the default of evaluation.estimators that of images with cameras, if they have
// some, and returns an *Error if another estimator does not apply to them: a homography is of a plane,
// whose images do not determine the pose of cameras.
func (c *Config) FitEstimators(cameras bool) error {
	e := &c.Evaluation
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
