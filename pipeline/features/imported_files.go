package features

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"descbench/pipeline/config"
	"descbench/pipeline/dataset"
	"descbench/pipeline/plan"
	"descbench/pipeline/store/unitfile"
)

// A run also depends on files that its config only names: network models, and
// keypoints, descriptors and matches from other programs. The run stores their digests
// and does not resume if the files have changed.

// An importedFile is a file from which the keypoints of an image are read.
// Descriptors of `type: file` are read from it as well, unless they have files of
// their own. It may also have the matches of images 1 and image.
type importedFile struct {
	set    *config.KeypointSet // nil for matches
	rows   string              // name of a descriptor whose rows, or matches, alone are read from it
	image  int                 // from 1
	path   string
	digest string
}

// key identifies the file by its use, not by its path: a run may resume after
// the files have moved.
func (f importedFile) key() string {
	switch {
	case f.set == nil:
		return fmt.Sprintf("descriptors[%s].path, image %d", f.rows, f.image)
	case f.rows != "":
		return fmt.Sprintf("descriptors[%s].descriptors_path, image %d", f.rows, f.image)
	}
	return fmt.Sprintf("keypoint_sets[%s].import, image %d", f.set.Name, f.image)
}

// imports returns the files that the plan imports for a scene. It leaves out
// missing files. The step that needs such a file reports it.
func imports(p *plan.Plan, scene *dataset.Scene) ([]importedFile, error) {
	var files []importedFile
	add := func(template string, set *config.KeypointSet, rows string) error {
		for i := range scene.Images {
			if set == nil && i == 0 {
				continue // image 1 is matched with the others
			}
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
			files = append(files, importedFile{set, rows, i + 1, path, digest})
		}
		return nil
	}
	for i := range p.Config.KeypointSets {
		if set := &p.Config.KeypointSets[i]; set.Import != nil {
			if err := add(set.Import.Path, set, ""); err != nil {
				return nil, err
			}
		}
	}
	for _, d := range p.Config.Descriptors {
		var err error
		switch {
		case d.Matches != nil && d.Command == nil:
			err = add(d.Matches.Path, nil, d.Name)
		case d.File != nil && d.File.Descriptors != "":
			err = add(d.File.Descriptors, p.Graph.Chain(d.Keypoints)[0], d.Name)
		}
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}

// ChangedImports returns an error if an imported file has changed since its scene was evaluated,
// so that a run does not resume.
func ChangedImports(p *plan.Plan) error {
	for _, name := range p.Scenes {
		record, err := p.Folder().ReadScene(name)
		if err != nil || slices.ContainsFunc(p.Config.Descriptors, func(d config.Descriptor) bool { return plan.Missing(p.Folder().Eval(d.Name, name)) }) {
			continue
		}
		inFiles, err := plan.Source(p.Config.Dataset).InFiles(name)
		if err != nil {
			return plan.Fault(err)
		}
		files, err := imports(p, &dataset.Scene{Name: name, InFiles: inFiles, Images: record.Images})
		if err != nil {
			return plan.Fault(err)
		}
		for _, f := range files {
			if was := record.Imported[f.key()]; was != "" && was != f.digest {
				return f.refused(name, "the imported file has changed since the run in "+string(p.Folder())+" was started")
			}
		}
	}
	return nil
}

func (f importedFile) refused(scene, reason string) error {
	return plan.Faultf("%s: %s: %s: %s; use --overwrite to start over", scene, f.key(), f.path, reason)
}

// takeImports returns the digests to store for the scene, given the current files and
// the stored digests, which may be lost. It returns an error if a file has changed,
// or may have changed, after results were computed from it. A faulty file that has
// no results yet may change.
func (w *Scene) takeImports(ctx context.Context, begun map[string]string, lost bool, now []importedFile) (map[string]string, error) {
	keep := make(map[string]string)
	maps.Copy(keep, begun)
	for _, f := range now {
		was, ok := begun[f.key()]
		if lost || ok && was != f.digest {
			if err := w.forgetImport(ctx, f, lost); err != nil {
				return nil, err
			}
		}
		keep[f.key()] = f.digest
	}
	return keep, nil
}

// forgetImport removes the keypoint sets of the scene that depend on a file that has
// changed, or may have, because its digest is lost. It returns an error if results
// have been computed from what has changed. Results of other descriptors stay valid if
// only the rows of a faulty descriptor were repaired, but no keypoint.
func (w *Scene) forgetImport(ctx context.Context, f importedFile, lost bool) error {
	scene := w.Source.Name
	reason := "the imported file has changed since the run in " + string(w.Folder) + " was started"
	if lost {
		reason = "whether the imported file has changed is unknown, because its digest is lost with " + w.Folder.Scene(scene)
	}
	refused := f.refused(scene, reason)
	samePoints := f.set == nil || w.hasSamePoints(ctx, f)
	for _, d := range w.Plan.Config.Descriptors {
		affected := (f.set == nil || w.Plan.Describes(d, f.set)) && (!samePoints || w.readsRows(d, f))
		if affected && !plan.Missing(w.Folder.Eval(d.Name, scene)) {
			return refused
		}
	}
	if samePoints {
		return nil
	}
	var stale []string
	for i := range w.Plan.Config.KeypointSets {
		set := &w.Plan.Config.KeypointSets[i]
		if !w.Plan.Graph.Reaches(set.Sides()[0], func(s *config.KeypointSet) bool { return s == f.set }) {
			continue
		}
		if set.TakesTotal() && !plan.Missing(w.Folder.Cut(set.Name)) {
			return refused // the sets of other scenes depend on this one
		}
		for _, name := range set.Sides() {
			stale = append(stale, w.Folder.Set(name, scene), w.Folder.Before(name, scene))
		}
	}
	for _, path := range stale {
		if err := w.Folder.Remove(path); err != nil {
			return err
		}
	}
	return nil
}

// hasSamePoints reports whether the current files give the keypoints that the run has
// stored for the image of f. Without stored keypoints it reports false.
func (w *Scene) hasSamePoints(ctx context.Context, f importedFile) bool {
	path, compute := w.Folder.Set, w.compute
	if f.set.TakesTotal() {
		path, compute = w.Folder.Before, w.filtered // what the selection over all scenes chose from
	}
	unit, err := w.Unit(path(f.set.Name, w.Source.Name), w.Source.Name)
	if err != nil {
		return false
	}
	stored, err := unitfile.ReadSets(unit)
	if err != nil || len(stored) != len(w.Source.Images) {
		return false
	}
	now, err := compute(ctx, f.set)
	i := f.image - 1
	return err == nil && bytes.Equal(now[i][0].Bytes(), stored[i].Bytes())
}

// readsRows reports whether a descriptor, or a part of a fusion, has its rows from
// the file.
func (w *Scene) readsRows(d config.Descriptor, f importedFile) bool {
	if d.Fusion != nil {
		return slices.ContainsFunc(w.Plan.Parts(d), func(part config.Descriptor) bool { return w.readsRows(part, f) })
	}
	if f.set == nil || d.File == nil {
		return f.set == nil && d.Name == f.rows
	}
	path, err := rowsFile(w.Plan.Config.Dataset.Root, w.Source, f.image-1, d.File)
	return err != nil || path == f.path
}
