package features

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"descbench/keypoints"
	"descbench/pipeline/config"
	"descbench/pipeline/dataset"
	"descbench/pipeline/plan"
)

// CheckImports reads the imported files of the stage's share, so that what makes them unusable
// in most scenes is reported before anything is written: as a config.Error if the config must
// say more about them. Other faults are left to the run.
func (s *Stage) CheckImports(ctx context.Context) error {
	all, err := s.programs.survey(ctx, s.Plan, s.Plan.Share(s.opt.Shard), s.opt.Jobs)
	for _, f := range all {
		if unstated := (*config.Error)(nil); 2*f.faulty > f.scenes && errors.As(f.Unusable[0].Reason, &unstated) {
			return unstated
		} else if 2*f.faulty > f.scenes {
			return plan.Faultf("%s: %s", f, f.Causes()[0])
		}
	}
	return err
}

// checkScores returns an error if keypoints of image i are selected by their response for a
// descriptor, and none has one.
func checkScores(p *plan.Plan, scene *dataset.Scene, d config.Descriptor, i int, found keypoints.Set) error {
	img, points := scene.Images[i], paired{found}
	for _, set := range p.Graph.Chain(p.Config.SetOf(d)) {
		if set.Intersect != nil {
			return nil
		}
		points = filterSteps(points, set, scene.Name, i+1, img.Width, img.Height)
		if top := set.Top; top != nil {
			if err := points[0].CheckTop(top.PerImage, top.By); err != nil || top.Total > 0 {
				return err
			}
			points = points.choose(points[0].TopRows(top.PerImage, top.By))
		}
	}
	if n := p.Config.Evaluation.SharedTopK; n > 0 && d.Matches == nil {
		return points[0].CheckTop(n, keypoints.ByResponse)
	}
	return nil
}

// checkSizes returns a *config.Error if a descriptor needs sizes and none of the keypoints of
// image i has one: all its rows would be invalid. For those of a program it concerns the
// whole run.
func checkSizes(cfg *config.Config, scene *dataset.Scene, d config.Descriptor, i int, set keypoints.Set) error {
	from := cfg.Unsized(d)
	if from == nil || from.DefaultSize() != nil || set.Len() == 0 || slices.ContainsFunc(set.Keypoints, func(k keypoints.Keypoint) bool { return k.Size > 0 }) {
		return nil
	}
	step, found, cure := "detect", "the program returns no size above 0", "return N×3 keypoints"
	if from.Import != nil {
		path, err := importedPath(from.Import.Path, cfg.Dataset.Root, scene, i)
		if err != nil {
			return err
		}
		step, found, cure = "import", path+" has no size", "add the array or column size to the files"
	}
	err := &config.Error{
		File: fmt.Sprintf("keypoint_sets[%s].%s.default_size", from.Name, step),
		Msg:  fmt.Sprintf("missing: %s for its keypoints, but descriptor %s (%s) needs one to cut its window out of the image; %s, or set default_size, px", found, d.Name, d.Type, cure),
	}
	if from.Detect != nil {
		return plan.Fault(err)
	}
	return err
}
