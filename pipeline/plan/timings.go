package plan

import (
	"errors"
	"io/fs"
	"log/slog"
	"path/filepath"

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

// RemoveDamagedTimes removes damaged files of computation times, on which no metric depends.
func (f Folder) RemoveDamagedTimes(log *slog.Logger) error {
	return Fault(store.WalkFiles(f.file("times"), func(path string, info fs.FileInfo) error {
		_, err := jsonSeal.read(path)
		if store.IsTemporary(info.Name()) || !errors.Is(err, store.ErrDamaged) {
			return nil
		}
		log.Warn("removing computation times that cannot be used", "reason", err)
		return f.Remove(path)
	}))
}

// Timings reads the computation times of the units, in the order of the plan:
// shared ones first. A scene's tasks are added up.
func (f Folder) Timings(plan *Plan) (all []store.Timing, err error) {
	read := func(scene string, of ...string) error {
		first := len(all)
		for i, name := range of {
			var record timesRecord
			err := ReadJSON(f.times(name, scene), &record)
			switch {
			case errors.Is(err, fs.ErrNotExist): // a failed scene, or units copied without their times
			case errors.Is(err, store.ErrDamaged):
				return Faultf("%w; remove the file: no metric depends on these times", err)
			case err != nil:
				return err
			}
			for _, t := range record.Times {
				if i > 0 && len(all) > first {
					all[first].Seconds += t.Seconds
				} else {
					all = append(all, t)
				}
			}
		}
		return nil
	}
	names := [][]string{{SharedTimes(store.DecodeStage)}, {SharedTimes(store.DetectStage)}}
	for _, d := range plan.Config.Descriptors {
		names = append(names, []string{d.Name})
		var tasks []string
		for _, t := range plan.TasksOf(d.Name) {
			tasks = append(tasks, TaskTimes(t, d.Name))
		}
		names = append(names, tasks)
	}
	for _, of := range names {
		for _, scene := range plan.Scenes {
			if err := read(scene, of...); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}
