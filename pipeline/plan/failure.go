package plan

import (
	"errors"
	"io/fs"
)

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
