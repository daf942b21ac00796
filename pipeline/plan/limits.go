package plan

import (
	"errors"
	"fmt"
	"io/fs"

	"descbench/keypoints"
	"descbench/pipeline/config"
	"descbench/pipeline/store"
)

// A limitRecord is the unit that lists the images of a scene in which a set's
// detector reached its own limit. It exists only if there are any.
type limitRecord struct {
	Images []int `json:"images"` // from 1
}

// NoteLimit writes which images of a scene reached the limit of the set's detector,
// given the keypoints detected in each; images without detection are empty.
func (f Folder) NoteLimit(set *config.KeypointSet, scene string, detected []keypoints.Set) error {
	detector, _ := keypoints.FindDetector(set.Detect.Type)
	var reached limitRecord
	for i, s := range detected {
		if s.Len() > 0 && detector.Limited(s, set.Detect.Params) {
			reached.Images = append(reached.Images, i+1)
		}
	}
	if reached.Images == nil {
		return nil
	}
	return WriteJSON(f.limit(set.Name, scene), reached)
}

// Unfilled returns a warning for each selection of the plan that is not filled
// because a detector reached its own limit, as far as the folder has the units, or
// for which damaged units do not tell.
// unit returns the unit file at a path, of the given scene.
func (f Folder) Unfilled(p *Plan, unit func(path, scene string) (store.UnitFile, error)) ([]string, error) {
	var out []string
	for i := range p.Config.KeypointSets {
		for _, l := range p.Graph.Limits(&p.Config.KeypointSets[i]) {
			text, err := f.unfilled(l, p.Scenes, unit)
			if err != nil {
				return nil, fmt.Errorf("keypoint set %s: %w", l.Set.Name, err)
			}
			if text != "" {
				out = append(out, text)
			}
		}
	}
	return out, nil
}

func (f Folder) unfilled(l config.Limit, scenes []string, unit func(path, scene string) (store.UnitFile, error)) (warning string, err error) {
	concerned, images, total := 0, 0, 0
	var unknown []error
	for _, scene := range scenes {
		file, err := unit(f.Set(l.Set.Sides()[0], scene), scene)
		var sets []keypoints.Set
		if err == nil {
			sets, err = store.ReadSets(file)
		}
		if errors.Is(err, fs.ErrNotExist) {
			continue // the set is not needed, or the scene failed
		}
		var reached limitRecord
		if err == nil {
			err = ReadJSON(f.limit(l.Origin.Name, scene), &reached)
		}
		if store.Unusable(err) { // no metric depends on it
			unknown = append(unknown, err)
			continue
		} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", Fault(err)
		}
		if l.Set.Project != nil {
			sets = sets[:1] // the others are not selected
		}
		images += len(sets)
		for _, s := range sets {
			total += s.Len()
		}
		for _, i := range reached.Images {
			if i <= len(sets) && (l.Set.TakesTotal() || sets[i-1].Len() < l.Wanted) {
				concerned++
			}
		}
	}
	if len(unknown) > 0 {
		return fmt.Sprintf("keypoint set %s: in %d of %d scenes it is not known whether detector %s reached its own limit: %v", l.Set.Name, len(unknown), len(scenes), l.Detector.Name, unknown[0]), nil
	}
	if concerned == 0 || l.Set.TakesTotal() && total >= l.Wanted {
		return "", nil
	}
	return l.Reached(concerned, images), nil
}
