package plan

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"descbench/eval/spelling"
	"descbench/pipeline/config"
	"descbench/pipeline/store"
	"descbench/pipeline/store/unitfile"
)

// Verify reads all files of a run and calls report for each one, with an error if it is
// missing or is not what was written. A run without results yet has units only. The error
// wraps ErrWithoutUnits if it has results only.
func (f Folder) Verify(ctx context.Context, report func(path string, err error)) error {
	var units *Units
	p, err := f.Plan()
	if err == nil {
		units, err = f.Units(p)
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
			if path != f.Config() && path != f.Environment() { // which are the reason, unless the list of scenes is
				report(path, damage)
			}
		})
		return nil
	}
	own := 0             // containers of this config
	var foreign []string // those of others
	err = store.WalkFiles(f.file("units"), func(path string, info fs.FileInfo) error {
		if store.IsTemporary(info.Name()) {
			return nil
		}
		isOwn, err := units.verify(path)
		if isOwn {
			own++
		} else if err == nil && path != f.Scenes() {
			foreign = append(foreign, path)
			return ctx.Err()
		}
		report(path, err)
		return ctx.Err()
	})
	if err != nil {
		return Fault(err)
	}
	if own == 0 && foreign != nil {
		report(f.Config(), Faultf("%s: none of its %s belongs to this config and its environment.json: these were changed, or the units are of another run", f.Config(), spelling.Count(len(foreign), "unit file")))
	} else {
		if err := units.Complete(); err != nil && !store.Unusable(err) { // which is reported above
			report(string(f), err)
		}
		for _, path := range foreign {
			report(path, Faultf("%s: of another run, config or data set", path))
		}
		units.verifyTimes(report)
	}
	if r, err := f.Reevaluation(); r != nil || err != nil {
		report(f.reevaluation(), err)
	}
	f.verifyResults(report)
	return nil
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

// sceneOf returns the scene of a container, or of times.
func sceneOf(path string) string {
	name := filepath.Base(path)
	return strings.ReplaceAll(strings.TrimSuffix(name, filepath.Ext(name)), "=", "/") // as fileOf
}

// stray returns an error if a file of units or times is of none of the scenes.
func stray(path string, scenes []string) error {
	if slices.Contains(scenes, sceneOf(path)) || store.IsTemporary(filepath.Base(path)) {
		return nil
	}
	return Faultf("%s: belongs to no scene of the run; remove it", path)
}

// verify reads a file below units, and reports whether it is a container of the run.
func (u *Units) verify(path string) (own bool, err error) {
	if path == u.Scenes() {
		_, err := jsonSeal.read(path)
		return false, err
	}
	scene := sceneOf(path)
	if err := stray(path, u.Plan.Scenes); err != nil {
		return false, err
	}
	if !slices.Contains(u.containers(scene), path) {
		return false, Faultf("%s: belongs to no scene of the run; remove it", path)
	}
	if err := unitfile.Check(path); err != nil {
		return false, err
	}
	l, err := u.listings.List(path)
	if err != nil {
		return false, err
	}
	own = l.JSON[u.recordOf(scene)] != nil || slices.ContainsFunc(u.Plan.Config.Descriptors, func(d config.Descriptor) bool { return l.JSON[u.failureOf(d.Name, scene)] != nil })
	return own, nil
}
