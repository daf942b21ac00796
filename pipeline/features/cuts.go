package features

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"descbench/keypoints"
	"descbench/pipeline/config"
	"descbench/pipeline/plan"
	"descbench/pipeline/store/unitfile"
)

// cut returns a set's selection over all scenes. Every process makes it itself, on the
// first call, from the units of all shards.
func (s *Stage) cut(ctx context.Context, set *config.KeypointSet) (keypoints.Cut, error) {
	s.cutting.Lock()
	defer s.cutting.Unlock()
	cut, ok := s.cuts[set.Name]
	if !ok {
		var err error
		if cut, err = s.makeCut(ctx, set); err != nil {
			return keypoints.Cut{}, err
		}
		s.cuts[set.Name] = cut
	}
	return cut, nil
}

func (s *Stage) makeCut(ctx context.Context, set *config.KeypointSet) (cut keypoints.Cut, err error) {
	units, err := s.Units()
	if err != nil {
		return cut, err
	}
	same := units.SameData()
	var open, failed []string
	top := keypoints.NewTotalTop(set.Top.Total, set.Top.By)
	// Side a of an intersection decides for both sides.
	name := set.Sides()[0]
	for _, scene := range s.Plan.Scenes {
		if err := ctx.Err(); err != nil {
			return cut, err
		}
		sets, err := plan.ReadUnit(units, units.Before(name), scene, unitfile.Sets)
		if errors.Is(err, fs.ErrNotExist) {
			if !units.AllFailed(scene) {
				open = append(open, scene)
				continue
			}
			reason, _ := units.Failed(s.Plan.Config.Descriptors[0].Name, scene)
			failed = append(failed, scene+": "+reason)
			continue
		} else if err != nil {
			return cut, plan.Faultf("keypoint set %s: %w; rerun the shard of %s to recreate it", set.Name, err, scene)
		}
		for i, points := range sets {
			if set.Project == nil || i == 0 {
				if err := points.CheckTop(0, set.Top.By); err != nil {
					return cut, plan.Faultf("keypoint set %s: %s: image %d: %w", set.Name, scene, i+1, err)
				}
				top.Add(scene, i+1, points)
			}
		}
	}
	// A selection among the other scenes would have to be made again, with
	// everything that depends on it, once the failed ones are repaired.
	if len(failed) > 0 {
		return cut, plan.Faultf("keypoint set %s: its selection over all scenes needs every scene, and %d of %d failed; repair them or leave them out with dataset.scenes: %s",
			set.Name, len(failed), len(s.Plan.Scenes), strings.Join(failed, "; "))
	}
	if len(open) > 0 {
		return cut, plan.Faultf("keypoint set %s: its selection over all scenes needs every scene: %s; run the other shards, then rerun this one, or use --wait", set.Name, plan.Lack(s.Plan, "ready", open))
	}
	return top.Cut(), same()
}
