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

// Names of scenes in messages differ; a missing file of matches may be that of one scene.
func TestWhatFailsAlikeInTheFirstScenesStopsTheRun(t *testing.T) {
	scenes := []string{"i_boats", "i_crownday", "v_bird", "v_graffiti"}
	inFiles, byProgram := config.Descriptor{Name: "m", Matches: &config.Matches{}}, config.Descriptor{Name: "p", Command: &config.Command{}}
	for _, c := range []struct {
		descriptor config.Descriptor
		cause      error
		good       bool // it has results of another scene
		stops      bool
	}{
		{inFiles, errors.New("match 1: row 2, but the keypoint set has 2 keypoints there"), false, true},
		{inFiles, fs.ErrNotExist, false, false},
		{byProgram, errors.New("mine.py: ValueError: no such layer"), false, true},
		{byProgram, errors.New("mine.py: ValueError: no such layer"), true, false},
		{config.Descriptor{Name: "sift", Type: "sift"}, errors.New("no keypoints"), false, false},
	} {
		d := c.descriptor
		r := &runner{alike: make(map[[2]string]int), good: map[string]bool{d.Name: c.good}}
		r.Stage = &features.Stage{Plan: &plan.Plan{Scenes: scenes, Config: &config.Config{Descriptors: []config.Descriptor{d}}}}
		for i, scene := range scenes[:3] {
			err := r.failsAlike(d, scene, fmt.Errorf("matches/%s/1_2.npz: %w", scene, c.cause))
			if stops := err != nil; stops != (c.stops && i == 2) {
				t.Errorf("%s, %v: scene %d: stops: %v", d.Name, c.cause, i+1, stops)
			}
		}
	}
}
