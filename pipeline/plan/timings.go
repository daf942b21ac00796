package plan

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"

	"descbench/pipeline/store"
)

// A timesRecord is the content of a file of computation times.
type timesRecord struct {
	Times []store.Timing `json:"times"`
}

// SharedTimes names the times of a stage that descriptors share. No descriptor has
// such a name.
func SharedTimes(stage string) string { return "." + stage }

// TaskTimes names the times of a descriptor's units of a task.
func TaskTimes(t Task, descriptor string) string {
	return SharedTimes(store.TasksStage) + "/" + filepath.ToSlash(t.folder()) + "/" + descriptor
}

// WriteTimes writes the computation times of a unit. of is its descriptor,
// SharedTimes or TaskTimes.
func (f Folder) WriteTimes(of, scene string, times ...store.Timing) error {
	return f.WriteJSON(f.times(of, scene), timesRecord{times})
}

// Timings reads the computation times of the units, in the order of the plan:
// shared ones first. A scene's tasks are added up. Times that are missing or damaged are
// Lost: no metric depends on them.
func (f Folder) Timings(plan *Plan) (all []store.Timing, err error) {
	of := [][]timed{{{of: SharedTimes(store.DecodeStage)}}, {{of: SharedTimes(store.DetectStage)}}}
	for _, d := range plan.Config.Descriptors {
		all := f.timed(plan, d.Name)
		of = append(of, all[:1], all[1:])
	}
	for _, units := range of {
		for _, scene := range plan.Scenes {
			first := len(all)
			for i, u := range units {
				var record timesRecord
				switch err := ReadJSON(f.times(u.of, scene), &record); {
				case errors.Is(err, store.ErrDamaged), errors.Is(err, fs.ErrNotExist) && u.exists(scene):
					record.Times = []store.Timing{store.LostTiming(u.descriptor, scene)}
				case err != nil && !errors.Is(err, fs.ErrNotExist):
					return nil, err
				}
				for _, t := range record.Times {
					if i > 0 && len(all) > first && !t.Lost() && !all[first].Lost() {
						all[first].Seconds += t.Seconds
					} else if !t.Lost() || !slices.Contains(all, t) {
						all = append(all, t)
					}
				}
			}
		}
	}
	return all, nil
}

// A timed names the units of a descriptor whose times are in one folder.
type timed struct {
	of, descriptor string              // as in WriteTimes; "" for shared stages
	unit           func(string) string // its path in a scene; nil for shared stages
}

func (t timed) exists(scene string) bool { return t.unit != nil && !Missing(t.unit(scene)) }

// timed returns what has times of a descriptor: its eval units, then its tasks.
func (f Folder) timed(plan *Plan, descriptor string) []timed {
	all := []timed{{descriptor, descriptor, func(scene string) string { return f.Eval(descriptor, scene) }}}
	tasks := plan.TasksOf(descriptor)
	if len(tasks) == 0 {
		return all
	}
	pools, _ := f.Pooled(plan, descriptor)
	for _, t := range tasks {
		all = append(all, timed{TaskTimes(t, descriptor), descriptor, func(scene string) string { return f.Task(t, descriptor, pools, scene) }})
	}
	return all
}

// verifyTimes reports the times that are missing.
func (f Folder) verifyTimes(plan *Plan, report func(path string, err error)) {
	for _, d := range plan.Config.Descriptors {
		for _, u := range f.timed(plan, d.Name) {
			for _, scene := range plan.Scenes {
				path := f.times(u.of, scene)
				if !u.exists(scene) || !Missing(path) {
					continue
				}
				if Missing(f.file("times")) {
					report(f.file("times"), lost(Faultf("%s: missing", f.file("times"))))
					return
				}
				report(path, lost(Faultf("%s: missing", path)))
			}
		}
	}
}

// lost says what an error about times means.
func lost(err error) error {
	return Faultf("%w; no metric depends on times, which are undefined without it: copy it from the original run, or run the config under a new name to measure again", err)
}
