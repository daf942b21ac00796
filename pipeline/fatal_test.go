package pipeline

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"descbench/pipeline/config"
	"descbench/pipeline/features"
	"descbench/pipeline/plan"
)

// Names of scenes in messages differ; a missing file may be that of one scene.
func TestMatchesThatFailAlikeInTheFirstScenesStopTheRun(t *testing.T) {
	scenes := []string{"i_boats", "i_crownday", "v_bird", "v_graffiti"}
	for _, c := range []struct {
		cause error
		stops bool
	}{{errors.New("match N: row N, but the keypoint set has N keypoints there"), true}, {fs.ErrNotExist, false}} {
		d := config.Descriptor{Name: "m", Matches: &config.Matches{}}
		r := &runner{alike: make(map[[2]string]int), good: make(map[string]bool)}
		r.Stage = &features.Stage{Plan: &plan.Plan{Scenes: scenes, Config: &config.Config{Descriptors: []config.Descriptor{d}}}}
		for i, scene := range scenes[:3] {
			err := r.failsAlike(d, scene, fmt.Errorf("matches/%s/1_2.npz: %w", scene, c.cause))
			if stops := err != nil; stops != (c.stops && i == 2) {
				t.Errorf("%v: scene %d: stops: %v", c.cause, i+1, stops)
			}
		}
	}
}
