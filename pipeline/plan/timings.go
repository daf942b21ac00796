package plan

import (
	"errors"
	"io/fs"

	"descbench/pipeline/store"
)

// Timings reads the computation times of the units, in the order of the plan.
func (f Folder) Timings(plan *Plan) ([]store.Timing, error) {
	var all []store.Timing
	for _, d := range plan.Config.Descriptors {
		for _, scene := range plan.Scenes {
			var times []store.Timing
			if err := ReadJSON(f.Times(d.Name, scene), &times); errors.Is(err, fs.ErrNotExist) {
				continue // a failed scene, or units copied without their times
			} else if err != nil {
				return nil, err
			}
			all = append(all, times...)
		}
	}
	return all, nil
}
