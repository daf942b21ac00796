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

// CheckImports reads the imported files of one scene, so that what the config
// must say about them is reported, as a config.Error, before anything is
// written: the element type of rows, and the size of keypoints. Other faults are
// left to the run.
func (s *Stage) CheckImports(ctx context.Context) error {
	if len(s.Plan.Scenes) == 0 {
		return nil
	}
	var scene *Scene // opened if needed
	for _, d := range s.Plan.Config.Descriptors {
		sized := s.needsSizes(d)
		if sized && s.Plan.Graph.Chain(d.Keypoints)[0].Import == nil || !sized && (d.File == nil || d.File.Elements != "") {
			continue
		}
		if scene == nil {
			source, err := plan.OpenScene(ctx, s.Plan.Config.Dataset, s.Plan.Scenes[0])
			if err != nil {
				return ctx.Err()
			}
			scene = s.of(source)
		}
		for i := range scene.Source.Images {
			var unsized *unsizedError
			if sized {
				from := s.Plan.Graph.Chain(d.Keypoints)[0].Import
				found, err := ReadImported(s.Plan.Config.Dataset.Root, scene.Source, i, from)
				if err == nil && errors.As(scene.checkSizes(d, i, found.Set), &unsized) {
					return &config.Error{File: unsized.key, Msg: "missing: " + unsized.reason}
				}
			} else if _, _, err := readImportedRows(s.Plan.Config.Dataset.Root, scene.Source, i, d.File); errors.Is(err, importer.ErrUnstated) {
				return &config.Error{File: fmt.Sprintf("descriptors[%s].elements", d.Name), Msg: "missing: " + err.Error()}
			}
		}
	}
	return nil
}

// needsSizes reports whether a descriptor is computed from the image around
// keypoints that are imported or that a program detects. Those of other detectors always
// have a size. Fusions leave it to their parts, and programs describe keypoints without a
// size, too.
func (s *Stage) needsSizes(d config.Descriptor) bool {
	if d.Fusion != nil || d.File != nil || d.Matches != nil || d.Command != nil && d.Command.Operation != config.DescribePatches {
		return false
	}
	origin := s.Plan.Graph.Chain(d.Keypoints)[0]
	return origin.Import != nil || origin.Detect != nil && origin.Detect.Command != nil
}

// An unsizedError reports imported keypoints without a size, which a descriptor
// needs. Without the error all its rows would be invalid.
type unsizedError struct{ key, reason string }

func (e *unsizedError) Error() string { return e.key + ": " + e.reason }

// checkSizes returns an *unsizedError if a descriptor needs sizes and none of
// the keypoints of image i has one.
func (w *Scene) checkSizes(d config.Descriptor, i int, set keypoints.Set) error {
	if !w.needsSizes(d) || set.Len() == 0 {
		return nil
	}
	for _, k := range set.Keypoints {
		if k.Size > 0 {
			return nil
		}
	}
	from := w.Plan.Graph.Chain(d.Keypoints)[0]
	if from.Detect != nil {
		return &unsizedError{
			key:    fmt.Sprintf("keypoint_sets[%s].detect.default_size", from.Name),
			reason: fmt.Sprintf("the program returns no size above 0 for its keypoints, but descriptor %s (%s) needs one to cut its window out of the image; return N×3 keypoints, or set default_size, px", d.Name, d.Type),
		}
	}
	path, err := importedPath(from.Import.Path, w.Plan.Config.Dataset.Root, w.Source, i)
	if err != nil {
		return err
	}
	return &unsizedError{
		key:    fmt.Sprintf("keypoint_sets[%s].import.default_size", from.Name),
		reason: fmt.Sprintf("%s has no size for its keypoints, but descriptor %s (%s) needs one to cut its window out of the image; add the array or column size to the files, or set default_size, px", path, d.Name, d.Type),
	}
}
