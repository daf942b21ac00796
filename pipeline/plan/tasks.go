package plan

import (
	"path/filepath"
	"slices"
	"strconv"

	"descbench/eval/distractors"
	"descbench/pipeline/config"
	"descbench/pipeline/store/unitfile"
)

// A Task is one of the tasks with distractors, or a repetition of it.
type Task struct {
	Name       string // name of its config section
	Seed       uint64 // decides, with Repetition, which image of a scene goes into its pool
	Repetition int    // from 0
	Raw        bool   // compares rows before normalisation
}

// folder returns the name of its folders of units.
func (t Task) folder() string {
	if t.Name == BojanicTask {
		return filepath.Join(t.Name, strconv.Itoa(t.Repetition))
	}
	return t.Name
}

// The tasks with distractors, named as their sections of the config.
const (
	BojanicTask   = "bojanic_2019"
	workbenchTask = "workbench_tasks"
)

// TasksOf returns the tasks that an evaluation section requests, and all repetitions of
// each.
func TasksOf(e config.Evaluation) []Task {
	var out []Task
	if b := e.Bojanic2019; b != nil {
		for repetition := range b.Repetitions {
			out = append(out, Task{Name: BojanicTask, Seed: b.Seed, Repetition: repetition, Raw: true})
		}
	}
	if w := e.WorkbenchTasks; w != nil {
		out = append(out, Task{Name: workbenchTask, Seed: w.Seed})
	}
	return out
}

// TasksOf returns the requested tasks that a descriptor takes part in: none if it is
// imported matches, which have no rows to compare.
func (p *Plan) TasksOf(descriptor string) []Task {
	if d := p.Config.Named(descriptor); d != nil && d.Matches != nil {
		return nil
	}
	return TasksOf(p.Config.Evaluation)
}

// WorkbenchProtocol returns the task that the evaluation section configures.
func WorkbenchProtocol(e config.Evaluation) distractors.Workbench {
	w := e.WorkbenchTasks
	return distractors.Workbench{
		TolerancePx: e.TolerancePx, DistractorScenes: w.DistractorScenes, DistractorsPerScene: w.DistractorsPerScene, Seed: w.Seed,
	}
}

// Task is the path of a scene's records of a task, computed with the pools of the
// given scenes.
func (f Folder) Task(t Task, descriptor string, pools []string, scene string) string {
	among := unitfile.Key(append([]string{"pools"}, pools...)...)[:16]
	return filepath.Join(string(f), "units", "tasks", among, t.folder(), filepath.FromSlash(descriptor), fileOf(scene)+".zip")
}

// Pooled returns two lists of scenes, each in the order of the plan: those that
// have a descriptor's pools, and those that still lack them although they have
// not failed.
func (f Folder) Pooled(plan *Plan, descriptor string) (scenes, open []string) {
	for _, scene := range plan.Scenes {
		switch {
		case f.hasPools(plan, descriptor, scene):
			scenes = append(scenes, scene)
		case f.LacksPools(plan, descriptor, scene):
			open = append(open, scene)
		}
	}
	return scenes, open
}

// LacksPools reports whether a scene has not failed but lacks pools of a
// descriptor.
func (f Folder) LacksPools(plan *Plan, descriptor, scene string) bool {
	return !f.hasPools(plan, descriptor, scene) && !f.hasFailed(descriptor, scene)
}

// hasPools reports whether all pools of a descriptor in a scene exist.
func (f Folder) hasPools(plan *Plan, descriptor, scene string) bool {
	return !slices.ContainsFunc(plan.TasksOf(descriptor), func(t Task) bool { return Missing(f.Pool(t, descriptor, scene)) })
}
