package features

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"

	"descbench/pipeline/config"
	"descbench/pipeline/dataset"
	"descbench/pipeline/plan"
)

// A run also depends on files that its config only names: models of networks,
// and what other programs found in the images. Their digests are kept with the
// run, which does not go on with others.

// An importedFile is one from which the keypoints of an image are read, and
// descriptors may be: those of type file start from an imported set.
type importedFile struct {
	set    *config.KeypointSet
	image  int // from 1
	path   string
	digest string
}

// key names the file by its use: a run may go on with the same files elsewhere.
func (f importedFile) key() string {
	return fmt.Sprintf("keypoint_sets[%s].import, image %d", f.set.Name, f.image)
}

// imports returns the files of a scene that a plan imports. It leaves out those
// that are missing, of which says so whoever needs them.
func (s *Stage) imports(scene *dataset.Scene) ([]importedFile, error) {
	var files []importedFile
	digests := make(map[string]string) // by path: several sets may share a file
	for i := range s.Plan.Config.KeypointSets {
		set := &s.Plan.Config.KeypointSets[i]
		if set.Import == nil {
			continue
		}
		for i := range scene.Images {
			path, err := ImportedPath(s.Plan.Config.Dataset.Root, scene, i, set.Import)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			} else if err != nil {
				return nil, err
			}
			if digests[path] == "" {
				if digests[path], err = plan.FileDigest(path); err != nil {
					return nil, err
				}
			}
			files = append(files, importedFile{set, i + 1, path, digests[path]})
		}
	}
	return files, nil
}

// takeImports returns the digests to keep for a scene, given those that it was
// begun with and the files that are there now. It refuses a file that is not the
// one that results are made of. A file of which there are none, because it was
// at fault, may have changed.
func (s *Stage) takeImports(scene string, begun map[string]string, now []importedFile) (map[string]string, error) {
	keep := maps.Clone(begun)
	for _, f := range now {
		was, ok := begun[f.key()]
		if ok && was != f.digest {
			if err := s.forgetImport(scene, f); err != nil {
				return nil, err
			}
		}
		if keep == nil {
			keep = make(map[string]string)
		}
		keep[f.key()] = f.digest
	}
	return keep, nil
}

// forgetImport removes the keypoint sets of a scene that start from a changed
// file, or refuses to if anything has been made of them.
func (s *Stage) forgetImport(scene string, f importedFile) error {
	refused := plan.Faultf("%s: %s: %s: the imported file has changed since the run in %s was started; use --overwrite to start over",
		scene, f.key(), f.path, string(s.Folder))
	for _, d := range s.Plan.Config.Descriptors {
		if s.Plan.Describes(d, f.set) && !plan.Missing(s.Folder.Eval(d.Name, scene)) {
			return refused
		}
	}
	var stale []string
	for i := range s.Plan.Config.KeypointSets {
		set := &s.Plan.Config.KeypointSets[i]
		if !s.Plan.MadeFrom(set, f.set) {
			continue
		}
		if set.TakesTotal() && !plan.Missing(s.Folder.Cut(set.Name)) {
			return refused // the sets of other scenes hang on this one's
		}
		for _, name := range set.Sides() {
			stale = append(stale, s.Folder.Set(name, scene), s.Folder.Before(name, scene))
		}
	}
	for _, path := range stale {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return plan.Fault(err)
		}
	}
	return nil
}
