package plan

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"descbench/pipeline/config"
	"descbench/pipeline/store"
	"descbench/pipeline/store/unitfile"
)

// Verify reads all files of a run and calls report for each one, with an error if it is
// missing or is not what was written. A run without results yet has units only. The error
// wraps ErrWithoutUnits if it has results only.
func (f Folder) Verify(ctx context.Context, report func(path string, err error)) error {
	var units Units
	p, err := f.Plan()
	if err == nil {
		units, err = f.Units()
	}
	switch {
	case errors.Is(err, ErrWithoutUnits):
		f.verifyResults(report)
		return err
	case err != nil && Missing(f.Summary()):
		return err
	case err != nil:
		report(f.Config(), Faultf("the units cannot be checked: %w", err))
		f.verifyResults(func(path string, damage error) {
			if !strings.Contains(err.Error(), path) {
				report(path, damage)
			}
		})
		return nil
	}
	if err := f.Complete(p); err != nil {
		report(string(f), err)
	}
	for _, path := range f.missing(p) {
		report(path, Faultf("%s: missing", path))
	}
	own := 0 // units of this config
	var foreign []string
	err = store.WalkFiles(f.file("units"), func(path string, info fs.FileInfo) error {
		if store.IsTemporary(info.Name()) {
			return nil
		}
		err := units.verify(path, p.Scenes)
		if errors.Is(err, store.ErrForeign) {
			foreign = append(foreign, path)
			return nil
		}
		if err == nil && filepath.Ext(path) != ".json" {
			own++
		}
		report(path, err)
		return ctx.Err()
	})
	if err != nil {
		return Fault(err)
	}
	if own > 0 {
		f.verifyTimes(p, report)
	}
	if own == 0 && len(foreign) > 1 {
		report(f.Config(), Faultf("%s: none of its %d files of units belongs to this config and its environment.json: these were changed, or the units are of another run", f.Config(), len(foreign)))
	} else {
		for _, path := range foreign {
			report(path, Faultf("%s: of another run, config or data set", path))
		}
	}
	if r, err := f.Reevaluation(); r != nil || err != nil {
		report(f.reevaluation(), err)
	}
	f.verifyResults(report)
	return nil
}

// missing returns the paths of missing eval units of scenes that have others, and of
// missing keypoints of eval units: those that nobody has computed yet are too many to list.
func (f Folder) missing(p *Plan) (paths []string) {
	for _, scene := range p.Scenes {
		var here []string
		for _, d := range p.Config.Descriptors {
			if path := f.Eval(d.Name, scene); !Missing(path) {
				for _, set := range p.SetsOf(d) {
					for _, path := range f.setFiles(set, scene) {
						if Missing(path) && !slices.Contains(paths, path) {
							paths = append(paths, path)
						}
					}
				}
			} else if !f.hasFailed(d.Name, scene) {
				here = append(here, path)
			}
		}
		if len(here) < len(p.Config.Descriptors) {
			paths = append(paths, here...)
		}
	}
	return paths
}

// setFiles returns the paths of the units of a keypoint set.
func (f Folder) setFiles(set *config.KeypointSet, scene string) (paths []string) {
	for _, side := range set.Sides() {
		paths = append(paths, f.Set(side, scene))
		if set.TakesTotal() {
			paths = append(paths, f.Before(side, scene))
		}
	}
	return paths
}

// verifyResults checks the checksums of the results, if there are any.
func (f Folder) verifyResults(report func(path string, err error)) {
	if Missing(f.Sums()) && Missing(f.Summary()) {
		return
	}
	if _, err := store.ReadSums(string(f)); err != nil {
		report(f.Sums(), err)
		return
	}
	for _, name := range f.results() {
		path := f.file(name)
		if Missing(path) {
			report(path, Faultf("%s: missing", path))
		} else {
			report(path, store.CheckResult(path))
		}
	}
}

// sceneOf returns the scene of a unit, or of a record of its failure or its times.
func sceneOf(path string) string {
	name := filepath.Base(path)
	return strings.ReplaceAll(strings.TrimSuffix(strings.TrimSuffix(name, filepath.Ext(name)), ".failed"), "=", "/") // as fileOf
}

// stray returns an error if a file of units or times is of none of the scenes.
func stray(path string, scenes []string) error {
	if slices.Contains(scenes, sceneOf(path)) || store.IsTemporary(filepath.Base(path)) {
		return nil
	}
	return Faultf("%s: %w; remove it", path, ErrStray)
}

// verify reads a file below units.
func (u Units) verify(path string, scenes []string) error {
	ofSet := strings.HasPrefix(path, filepath.Dir(u.folder.Cut("any"))+string(filepath.Separator))
	if err := stray(path, scenes); err != nil && path != u.folder.Scenes() && !ofSet {
		return err
	}
	if filepath.Ext(path) == ".json" {
		_, err := jsonSeal.read(path)
		return err
	}
	place, err := filepath.Rel(string(u.folder), path)
	if err != nil {
		return err
	}
	file, err := u.Of(path, sceneOf(path))
	if err != nil {
		return Faultf("%s: cannot be checked: %w", path, err)
	}
	switch strings.Split(place, string(filepath.Separator))[1] {
	case "sets", "before":
		return unitfile.VerifySets(file)
	case "eval":
		return unitfile.VerifyEval(file)
	case "pools":
		return unitfile.VerifyPool(file)
	case "tasks":
		return unitfile.VerifyTasks(file)
	}
	return Faultf("%s: %w; remove it", path, ErrStray)
}
