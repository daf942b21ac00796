package features

import (
	"errors"
	"io/fs"
	"strconv"

	"descbench/pipeline/dataset"
	"descbench/pipeline/plan"
	"descbench/pipeline/store/unitfile"
)

// imported returns a digest of the files that a scene has for each use of imported files: the
// keypoints, descriptors and matches of other programs. It leaves out missing files, which the step
// that needs them reports. Descriptors of `type: file` are read from the files of their keypoints.
func imported(p *plan.Plan, scene *dataset.Scene) (map[string]string, error) {
	digests := make(map[string]string)
	add := func(use, template string, first int) error { // from image first, counted from 0
		var parts []string
		for i := first; i < len(scene.Images); i++ {
			path, err := importedPath(template, p.Config.Dataset.Root, scene, i)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			} else if err != nil {
				return err
			}
			digest, err := plan.FileDigest(path)
			if err != nil {
				return err
			}
			parts = append(parts, strconv.Itoa(i), digest)
		}
		if parts != nil {
			digests[use] = unitfile.Key(parts...)
		}
		return nil
	}
	for _, set := range p.Config.KeypointSets {
		if set.Import != nil {
			if err := add("keypoint_sets["+set.Name+"]", set.Import.Path, 0); err != nil {
				return nil, err
			}
		}
	}
	for _, d := range p.Config.Descriptors {
		if d.Matches != nil && d.Command == nil {
			if err := add(keyOf(d), d.Matches.Path, 1); err != nil { // image 1 is matched with the others
				return nil, err
			}
		}
	}
	return digests, nil
}
