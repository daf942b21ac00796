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

// A run also depends on files that its config only names: network models, and
// keypoints and descriptors from other programs. The run stores their digests
// and does not resume if the files have changed.

// An importedFile is a file from which the keypoints of an image are read.
// Descriptors of `type: file` are read from it as well.
type importedFile struct {
	set    *config.KeypointSet
	image  int // from 1
	path   string
	digest string
}

// key identifies the file by its use, not by its path: a run may resume after
// the files have moved.
func (f importedFile) key() string {
	return fmt.Sprintf("keypoint_sets[%s].import, image %d", f.set.Name, f.image)
}

// imports returns the files that the plan imports for a scene. It leaves out
// missing files. The step that needs such a file reports it.
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

// takeImports returns the digests to store for a scene, given the current files and
// the stored digests, which may be lost. It returns an error if a file has changed,
// or may have changed, after results were computed from it. A faulty file that has
// no results yet may change.
func (s *Stage) takeImports(scene string, begun map[string]string, lost bool, now []importedFile) (map[string]string, error) {
	keep := maps.Clone(begun)
	for _, f := range now {
		was, ok := begun[f.key()]
		if lost || ok && was != f.digest {
			if err := s.forgetImport(scene, f, lost); err != nil {
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

// forgetImport removes the keypoint sets of a scene that depend on a file that has
// changed, or may have, because its digest is lost. It returns an error if results have been computed from them.
func (s *Stage) forgetImport(scene string, f importedFile, lost bool) error {
	reason := "the imported file has changed since the run in " + string(s.Folder) + " was started"
	if lost {
		reason = "whether the imported file has changed is unknown, because its digest is lost with " + s.Folder.Scene(scene)
	}
	refused := plan.Faultf("%s: %s: %s: %s; use --overwrite to start over", scene, f.key(), f.path, reason)
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
			return refused // the sets of other scenes depend on this one
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
