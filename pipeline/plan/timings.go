package plan

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"

	"descbench/pipeline/config"
	"descbench/pipeline/files"
	"descbench/pipeline/store"
)

// A timesRecord is the content of the file of a scene's computation times.
type timesRecord struct {
	Times map[string][]store.Timing `json:"times"` // by descriptor, SharedTimes or TaskTimes
}

// SharedTimes names the times of a stage that descriptors share. No descriptor has
// such a name.
func SharedTimes(stage string) string { return "." + stage }

// TaskTimes names the times of a descriptor's units of a task.
func TaskTimes(t Task, descriptor string) string {
	return SharedTimes(store.TasksStage) + "/" + t.folder() + "/" + descriptor
}

// PutTimes adds the computation times of a unit. of is its descriptor, SharedTimes or TaskTimes.
func (s *SceneUnits) PutTimes(of string, times ...store.Timing) {
	share := waited()
	for i := range times {
		times[i].Waited = share
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.times == nil {
		s.times = make(map[string][]store.Timing)
	}
	s.times[of] = times
}

// addTimes adds times to those of a scene, which this process has claimed.
func (f Folder) addTimes(scene string, times map[string][]store.Timing) error {
	if len(times) == 0 {
		return nil
	}
	record := timesRecord{}
	if ReadJSON(f.times(scene), &record) != nil || record.Times == nil { // none, or damaged
		record.Times = make(map[string][]store.Timing)
	}
	maps.Copy(record.Times, times)
	return f.WriteJSON(f.times(scene), record)
}

// waited returns which share of their time the threads of this process have waited for a processor
// since they began: of /proc/PID/schedstat, sched-stats.rst of Linux.
func waited() float64 {
	var run, wait float64
	threads, _ := filepath.Glob("/proc/self/task/*/schedstat")
	for _, thread := range threads {
		var r, w float64
		if b, err := files.Read(thread, 1<<10); err == nil {
			_, _ = fmt.Sscan(string(b), &r, &w)
		}
		run, wait = run+r, wait+w
	}
	if wait == 0 {
		return 0
	}
	return wait / (run + wait)
}

// Timings reads the computation times of the units, in the order of the plan:
// shared ones first. A scene's tasks are added up. Those of a unit that cannot be read are Lost: no
// metric depends on them.
func (u *Units) Timings() (all []store.Timing) {
	records := make(map[string]timesRecord)
	for _, scene := range u.Plan.Scenes {
		var record timesRecord
		_ = ReadJSON(u.times(scene), &record) // verify names what cannot be read
		records[scene] = record
	}
	known := make(map[[3]string]int) // indices among all
	add := func(of, descriptor string, unit Unit) {
		for _, scene := range u.Plan.Scenes {
			times, there := records[scene].Times[of]
			if !there && descriptor != "" && u.Has(unit, scene) {
				times = []store.Timing{{Descriptor: descriptor, Scene: scene, Stage: store.DescribeStage, Untimed: 1}} // Lost
			}
			for _, t := range times {
				key := [3]string{t.Descriptor, t.Scene, t.Stage}
				if t.Lost() {
					key[2] = "lost"
				}
				if i, is := known[key]; is {
					all[i].Seconds += t.Seconds
					continue
				}
				known[key] = len(all)
				all = append(all, t)
			}
		}
	}
	add(SharedTimes(store.DecodeStage), "", Unit{})
	add(SharedTimes(store.DetectStage), "", Unit{})
	for _, d := range u.Plan.Config.Descriptors {
		add(d.Name, d.Name, u.Eval(d.Name))
		pools, _ := u.Pooled(d.Name)
		for _, t := range u.Plan.TasksOf(d.Name) {
			add(TaskTimes(t, d.Name), d.Name, u.Task(t, d.Name, pools))
		}
	}
	return all
}

// verifyTimes reports the files of times, and what it means that one cannot be read.
func (u *Units) verifyTimes(report func(path string, err error)) {
	if u.WithoutTimes() {
		return
	}
	_ = store.WalkFiles(u.file("times"), func(path string, _ fs.FileInfo) error { // what cannot be read is reported below
		if err := stray(path, u.Plan.Scenes); err != nil {
			report(path, err)
		}
		return nil
	})
	for _, scene := range u.Plan.Scenes {
		path, record := u.times(scene), timesRecord{}
		err := ReadJSON(path, &record)
		lacking := slices.IndexFunc(u.Plan.Config.Descriptors, func(d config.Descriptor) bool {
			return record.Times[d.Name] == nil && u.Has(u.Eval(d.Name), scene)
		})
		switch none := errors.Is(err, fs.ErrNotExist); {
		case none && lacking < 0:
			continue
		case none:
			err = Faultf("%s: missing", path)
		case err == nil && lacking >= 0:
			err = Faultf("%s: lacks the times of %s", path, u.Plan.Config.Descriptors[lacking].Name)
		}
		if err != nil {
			err = Faultf("%w; no metric depends on times, which are undefined without it: copy it from the original run, or run the config under a new name to measure again", err)
		}
		report(path, err)
	}
}

// WithoutTimes reports whether the folder was shared without its times.
func (f Folder) WithoutTimes() bool { return Missing(f.file("times")) }
