package features

import (
	"context"
	"errors"
	"fmt"

	"descbench/descriptors/importer"
	"descbench/keypoints"
	"descbench/pipeline/config"
	"descbench/pipeline/plan"
)

// CheckImports reads the imported files of one scene, and calls programs for keypoints of its
// first image, so that what the config must say about them is reported, as a config.Error,
// before anything is written: the element type of rows, and the size of keypoints. Other
// faults are left to the run.
func (s *Stage) CheckImports(ctx context.Context) error {
	if len(s.Plan.Scenes) == 0 {
		return nil
	}
	var scene *Scene // opened if needed
	for _, d := range s.Plan.Config.Descriptors {
		from := s.Plan.Config.Unsized(d)
		if from != nil && from.DefaultSize() != nil || from == nil && (d.File == nil || d.File.Elements != "") {
			continue
		}
		if scene == nil {
			source, err := plan.OpenScene(ctx, s.Plan.Config.Dataset, s.Plan.Scenes[0])
			if err != nil {
				return ctx.Err()
			}
			scene = s.of(source)
			defer scene.Close()
		}
		for i := range scene.Source.Images {
			var unsized *config.Error
			if from != nil {
				set, err := scene.given(from, i)
				if err == nil && errors.As(scene.checkSizes(d, i, set), &unsized) {
					return unsized
				}
				if from.Detect != nil {
					break
				}
			} else if _, _, err := readImportedRows(s.Plan.Config.Dataset.Root, scene.Source, i, d.File); errors.Is(err, importer.ErrUnstated) {
				return &config.Error{File: fmt.Sprintf("descriptors[%s].elements", d.Name), Msg: "missing: " + err.Error()}
			}
		}
	}
	return nil
}

// given returns the keypoints of image i that a file holds, or a program detects.
func (w *Scene) given(from *config.KeypointSet, i int) (keypoints.Set, error) {
	if from.Import != nil {
		found, err := ReadImported(w.Plan.Config.Dataset.Root, w.Source, i, from.Import)
		return found.Set, err
	}
	found, err := w.detection(from.Name, from.Detect, i).compute(0)
	return found.set, err
}

// checkSizes returns a *config.Error if a descriptor needs sizes and none of the imported
// keypoints of image i has one: all its rows would be invalid.
func (w *Scene) checkSizes(d config.Descriptor, i int, set keypoints.Set) error {
	from := w.Plan.Config.Unsized(d)
	if from == nil || set.Len() == 0 {
		return nil
	}
	for _, k := range set.Keypoints {
		if k.Size > 0 {
			return nil
		}
	}
	if from.Detect != nil {
		return &config.Error{
			File: fmt.Sprintf("keypoint_sets[%s].detect.default_size", from.Name),
			Msg:  fmt.Sprintf("missing: the program returns no size above 0 for its keypoints, but descriptor %s (%s) needs one to cut its window out of the image; return N×3 keypoints, or set default_size, px", d.Name, d.Type),
		}
	}
	path, err := importedPath(from.Import.Path, w.Plan.Config.Dataset.Root, w.Source, i)
	if err != nil {
		return err
	}
	return &config.Error{
		File: fmt.Sprintf("keypoint_sets[%s].import.default_size", from.Name),
		Msg:  fmt.Sprintf("missing: %s has no size for its keypoints, but descriptor %s (%s) needs one to cut its window out of the image; add the array or column size to the files, or set default_size, px", path, d.Name, d.Type),
	}
}
