package plan

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"

	"descbench/pipeline/config"
	"descbench/pipeline/store/unitfile"
)

// Units gives the units of a run folder their identities, by which a unit of
// another run, of other data or of another place in the folder is noticed.
type Units struct {
	folder Folder
	run    string
}

// UnitsOf returns the units of a folder that is filled with a config and the
// software of the given environment. A re-evaluation has the units of its run.
func UnitsOf(f Folder, cfg *config.Config, e Environment) (Units, error) {
	computed := cfg.Identity()
	r, err := f.Reevaluation()
	if r != nil {
		computed = r.Units
	}
	parts := []string{"unit", computed, e.ExtractionKey(), fmt.Sprint(e.Importer)}
	for _, key := range slices.Sorted(maps.Keys(e.Programs)) {
		parts = append(parts, e.Programs[key].parts(key)...)
	}
	return Units{f, unitfile.Key(parts...)}, err
}

// Units returns the units of a run folder, as the folder itself says how the run
// was started.
func (f Folder) Units() (Units, error) {
	begun, err := f.config()
	if err != nil {
		return Units{}, err
	}
	e, err := f.ReadEnvironment()
	if err != nil {
		return Units{}, err
	}
	return UnitsOf(f, begun, e)
}

// At returns the unit file at a path in the folder, given the digest of the scene
// that it is computed from.
func (u Units) At(path, sceneDigest string) unitfile.UnitFile {
	place, err := filepath.Rel(string(u.folder), path)
	if err != nil {
		panic(fmt.Sprintf("unit %s outside of %s", path, u.folder))
	}
	return unitfile.UnitFile{Root: u.folder.root(), Path: path, Identity: unitfile.Key(u.run, filepath.ToSlash(place), sceneDigest)}
}

// Of is like At for a scene whose digest is read from the scene unit.
func (u Units) Of(path, scene string) (unitfile.UnitFile, error) {
	digest, err := u.folder.SceneDigest(scene)
	return u.At(path, digest), err
}

// A failure is the content of the record that replaces a unit.
type failure struct {
	Reason string `json:"reason"`
}

// Fail records why the eval unit of a descriptor in a scene could not be computed,
// unless the unit exists.
func (f Folder) Fail(descriptor, scene string, reason error) error {
	if !Missing(f.Eval(descriptor, scene)) {
		return nil
	}
	return f.WriteJSON(f.failure(descriptor, scene), failure{reason.Error()})
}

// Failed reports whether the eval unit of a descriptor in a scene could not be
// computed, and the recorded reason. If the unit exists, the record does not count:
// the unit was computed later or by another process.
func (f Folder) Failed(descriptor, scene string) (reason string, failed bool, err error) {
	var record failure
	err = ReadJSON(f.failure(descriptor, scene), &record)
	if errors.Is(err, fs.ErrNotExist) || !Missing(f.Eval(descriptor, scene)) {
		return "", false, nil
	}
	if err != nil {
		return "", false, Recreate(err)
	}
	return record.Reason, true, nil
}

// ForgetFailure removes the failure record of an eval unit that now exists.
func (f Folder) ForgetFailure(descriptor, scene string) error {
	return f.Remove(f.failure(descriptor, scene))
}

// hasFailed is Failed without reading the record.
func (f Folder) hasFailed(descriptor, scene string) bool {
	return Missing(f.Eval(descriptor, scene)) && !Missing(f.failure(descriptor, scene))
}

// AllFailed reports whether a scene failed for every descriptor.
func (f Folder) AllFailed(plan *Plan, scene string) bool {
	for _, d := range plan.Config.Descriptors {
		if !f.hasFailed(d.Name, scene) {
			return false
		}
	}
	return len(plan.Config.Descriptors) > 0
}
