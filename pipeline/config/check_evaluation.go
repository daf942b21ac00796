package config

import (
	"fmt"
	"slices"

	"descbench/eval/matching"
	"descbench/eval/ranking"
)

// workbenchBeyondPx is the coordinate beyond which DescriptorWorkbench does not
// look for a projected keypoint.
const workbenchBeyondPx = 2000

// checkPreset fills in the values of the preset workbench and reports conflicting values.
// A preset that overrides the file replaces the file's values.
func (k *checker) checkPreset(c *Config) {
	if e := &c.Evaluation; e.Preset == Workbench {
		preset(k, e, "evaluation.ties", &e.Ties, ranking.Workbench)
		preset(k, e, "evaluation.relevance", &e.Relevance, ranking.NearestRelevant)
		preset(k, e, "evaluation.exclude_invalid", &e.ExcludeInvalid, true)
		preset(k, e, "evaluation.exclude_invalid_truths", &e.ExcludeInvalidTruths, false) // DescriptorWorkbench looks at queries only
		preset(k, e, "evaluation.exclude_beyond_px", &e.ExcludeBeyondPx, workbenchBeyondPx)
	}
}

func preset[T comparable](k *checker, e *Evaluation, key string, to *T, value T) {
	if k.given(key) && *to != value && (k.inFile("evaluation.preset") || !k.inFile(key)) {
		cure := ""
		if !k.inFile(key) {
			cure = "; evaluation.preset=null gives it up"
		}
		k.faultAt(key, "found %v, want %v or nothing, since evaluation.preset is %s%s", *to, value, e.Preset, cure)
	}
	*to = value
}

// inFile reports whether the value of a given key is that of the file.
func (k *checker) inFile(key string) bool { return k.origin[k.at[key]] == "" }

// checkRegion checks that keypoints are selected in the region of both images.
func (k *checker) checkRegion() {
	if e := k.config.Evaluation; e.KeynetRegion && e.SharedTopK == 0 {
		k.faultAt("evaluation.shared_region", "found keynet, but shared_top_k is 0; want the number of keypoints of this region, 1000 as in Key.Net's evaluation")
	}
}

// checkRelevance checks that keypoints are projected if relevance is identity.
func (k *checker) checkRelevance() {
	if k.config.Evaluation.Relevance != ranking.IdentityRelevant {
		return
	}
	for _, x := range k.config.Descriptors {
		if x.Matches != nil { // are not ranked
			continue
		}
		set := k.config.SetOf(x)
		if projecting(k.graph.Chain(set)) == nil {
			k.faultAt("evaluation.relevance", "found identity, but %s, the keypoints of descriptors[%s], are not projected; want projected sets, or another relevance", set, x.Name)
			return
		}
	}
}

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
// some, and returns an *Error if the preset or another estimator does not apply to them: a homography is of a plane,
// whose images do not determine the pose of cameras.
func (c *Config) FitEstimators(cameras bool) error {
	e := &c.Evaluation
	if cameras && e.KeynetRegion {
		return &Error{File: "evaluation.shared_region", Msg: "keynet is the region that a homography maps into both images, but these have cameras; leave it out"}
	}
	if p := c.Preset(); p != nil && (p.Pairs > 0) != cameras {
		kinds := map[bool]string{true: "images with cameras", false: "images with homographies"}
		return &Error{File: "evaluation.preset", Msg: fmt.Sprintf("%s is for %s, but these are %s; docs/presets.md lists the presets for each", p.Name, kinds[!cameras], kinds[cameras])}
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
