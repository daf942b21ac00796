package features

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"descbench/keypoints"
	"descbench/pipeline/config"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

// A cutRecord is the unit of a selection over all scenes. Every process repeats
// the selection itself, from the units of the keypoints to choose from.
type cutRecord struct {
	Scenes []string `json:"scenes"` // scenes included in the selection
}

// cut makes a set's selection over all scenes, from the units of all shards.
func (s *Stage) cut(ctx context.Context, set *config.KeypointSet) error {
	var took, open []string
	top := keypoints.NewTotalTop(set.Top.Total, set.Top.By)
	// Side a of an intersection decides for both sides.
	name := set.Sides()[0]
	for _, scene := range s.Plan.Scenes {
		if err := ctx.Err(); err != nil {
			return err
		}
		var sets []keypoints.Set
		file, err := s.Unit(s.Folder.Before(name, scene), scene)
		if err == nil {
			sets, err = store.ReadSets(file)
		}
		if errors.Is(err, fs.ErrNotExist) {
			if !s.Folder.Failed(s.Plan, scene) {
				open = append(open, scene)
			}
			continue
		} else if err != nil {
			return plan.Fault(err)
		}
		took = append(took, scene)
		for i, points := range sets {
			if set.Project == nil || i == 0 {
				top.Add(scene, i+1, points)
			}
		}
	}
	if len(open) > 0 {
		return plan.Faultf("keypoint set %s: sets incomplete: %d of %d scenes (missing %s); run the other shards, then rerun this one",
			set.Name, len(took), len(s.Plan.Scenes), strings.Join(open, ", "))
	}
	if err := s.checkCut(set, took); err != nil {
		return err
	}
	cut, err := top.Cut()
	if err != nil {
		return fmt.Errorf("keypoint set %s: %w", set.Name, err)
	}
	s.cuts[set.Name] = cut
	return nil
}

// checkCut returns an error if the selection covers different scenes than when
// the run was started. Its units would be inconsistent.
func (s *Stage) checkCut(set *config.KeypointSet, scenes []string) error {
	var begun cutRecord
	path := s.Folder.Cut(set.Name)
	if err := plan.ReadJSON(path, &begun); errors.Is(err, fs.ErrNotExist) {
		return plan.WriteJSON(path, cutRecord{scenes})
	} else if err != nil {
		return plan.Faultf("%w; use --overwrite to start over", err)
	}
	if !slices.Equal(begun.Scenes, scenes) {
		return plan.Faultf("keypoint set %s: its selection over all scenes was made from [%s], but now there are [%s]; use --overwrite to start over",
			set.Name, strings.Join(begun.Scenes, ", "), strings.Join(scenes, ", "))
	}
	return nil
}
