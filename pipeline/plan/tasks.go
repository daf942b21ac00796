package plan

import (
	"path/filepath"
	"slices"

	"descbench/eval/tasks"
	"descbench/pipeline/config"
	"descbench/pipeline/store"
)

// A Task is one of the tasks with distractors.
type Task struct {
	Name string // name of its config section
	Seed uint64 // decides which image of a scene goes into its pool
	Raw  bool   // compares rows before normalisation
}

// The tasks with distractors, named as their sections of the config.
const (
	BojanicTask   = "bojanic_2019"
	workbenchTask = "workbench_tasks"
)

// TasksOf returns the tasks that an evaluation section requests.
func TasksOf(e config.Evaluation) []Task {
	var out []Task
	if b := e.Bojanic2019; b != nil {
		out = append(out, Task{Name: BojanicTask, Seed: b.Seed, Raw: true})
	}
	if w := e.WorkbenchTasks; w != nil {
		out = append(out, Task{Name: workbenchTask, Seed: w.Seed})
	}
	return out
}

// TasksOf returns the requested tasks that a descriptor takes part in: none if it is
// imported matches, which have no rows to compare.
func (p *Plan) TasksOf(descriptor string) []Task {
	for _, d := range p.Config.Descriptors {
		if d.Name == descriptor && d.Matches != nil {
			return nil
		}
	}
	return TasksOf(p.Config.Evaluation)
}

// BojanicProtocol returns the task that the section configures.
func BojanicProtocol(b *config.Bojanic2019) tasks.Bojanic {
	return tasks.Bojanic{N: b.N, Repetitions: b.Repetitions, Seed: b.Seed}
}

// WorkbenchProtocol returns the task that the evaluation section configures.
func WorkbenchProtocol(e config.Evaluation) tasks.Workbench {
	w := e.WorkbenchTasks
	return tasks.Workbench{
		TolerancePx: e.TolerancePx, DistractorScenes: w.DistractorScenes, DistractorsPerScene: w.DistractorsPerScene, Seed: w.Seed,
	}
}

// Tasks is the path of a scene's task records, computed with the pools of the
// given scenes.
func (f Folder) Tasks(descriptor string, pools []string, scene string) string {
	among := store.Key(append([]string{"pools"}, pools...)...)[:16]
	return filepath.Join(string(f), "units", "tasks", among, filepath.FromSlash(descriptor), scene+".zip")
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
	return !slices.ContainsFunc(plan.TasksOf(descriptor), func(t Task) bool { return Missing(f.Pool(t.Name, descriptor, scene)) })
}
