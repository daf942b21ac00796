package plan

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"descbench/eval"
	"descbench/pipeline/store"
)

// A timesRecord is the content of a file of computation times.
type timesRecord struct {
	Times []store.Timing `json:"times"`
}

// WriteTimes writes the computation times of a unit.
func (f Folder) WriteTimes(descriptor, scene string, times ...store.Timing) error {
	return WriteJSON(f.times(descriptor, scene), timesRecord{times})
}

// Timings reads the computation times of the units, in the order of the plan.
// Damaged files are left out, because no metric depends on them; a warning names
// them.
func (f Folder) Timings(plan *Plan) (all []store.Timing, warnings []eval.Warning, err error) {
	var damaged []string
	for _, d := range plan.Config.Descriptors {
		for _, scene := range plan.Scenes {
			var record timesRecord
			err := ReadJSON(f.times(d.Name, scene), &record)
			switch {
			case errors.Is(err, fs.ErrNotExist): // a failed scene, or units copied without their times
			case errors.Is(err, store.ErrDamaged):
				damaged = append(damaged, f.times(d.Name, scene))
			case err != nil:
				return nil, nil, err
			}
			all = append(all, record.Times...)
		}
	}
	if len(damaged) > 0 {
		warnings = append(warnings, eval.Warning{Kind: "times", Text: fmt.Sprintf(
			"the times of %d of %d units are damaged and left out: %s", len(damaged), plan.Units(), strings.Join(damaged, ", "))})
	}
	return all, warnings, nil
}
