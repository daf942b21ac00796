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

// SharedTimes names the times of a stage that descriptors share. No descriptor has
// such a name.
func SharedTimes(stage string) string { return "." + stage }

// TaskTimes names the times of a descriptor's task units.
func TaskTimes(descriptor string) string { return SharedTimes(store.TasksStage) + "/" + descriptor }

// WriteTimes writes the computation times of a unit. of is its descriptor,
// SharedTimes or TaskTimes.
func (f Folder) WriteTimes(of, scene string, times ...store.Timing) error {
	return WriteJSON(f.times(of, scene), timesRecord{times})
}

// Timings reads the computation times of the units, in the order of the plan:
// shared ones first. Damaged files are left out, because no metric depends on them; a warning names
// them.
func (f Folder) Timings(plan *Plan) (all []store.Timing, warnings []eval.Warning, err error) {
	var damaged []string
	read := func(of string) error {
		for _, scene := range plan.Scenes {
			var record timesRecord
			err := ReadJSON(f.times(of, scene), &record)
			switch {
			case errors.Is(err, fs.ErrNotExist): // a failed scene, or units copied without their times
			case errors.Is(err, store.ErrDamaged):
				damaged = append(damaged, f.times(of, scene))
			case err != nil:
				return err
			}
			for _, t := range record.Times {
				all = append(all, t.Upgrade())
			}
		}
		return nil
	}
	for _, stage := range []string{store.DecodeStage, store.DetectStage} {
		if err == nil {
			err = read(SharedTimes(stage))
		}
	}
	for _, d := range plan.Config.Descriptors {
		for _, of := range []string{d.Name, TaskTimes(d.Name)} {
			if err == nil {
				err = read(of)
			}
		}
	}
	if err != nil {
		return nil, nil, err
	}
	if len(damaged) > 0 {
		warnings = append(warnings, eval.Warning{Kind: "times", Text: fmt.Sprintf(
			"the times of %d of %d units are damaged and left out: %s", len(damaged), plan.Units(), strings.Join(damaged, ", "))})
	}
	return all, warnings, nil
}
