package plan

import (
	"slices"
	"strconv"

	"descbench/eval/distractors"
	"descbench/pipeline/config"
)

// A Task is one of the tasks with distractors, or a repetition of it.
type Task struct {
	Name       string // name of its config section
	Seed       uint64 // decides, with Repetition, which image of a scene goes into its pool
	Repetition int    // from 0
	Raw        bool   // compares rows before normalisation
}

// folder returns its part of the names of units.
func (t Task) folder() string {
	if t.Name == BojanicTask {
		return t.Name + "/" + strconv.Itoa(t.Repetition)
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

// Protocols returns those of the tasks that the evaluation section configures.
func Protocols(e config.Evaluation) distractors.Protocols {
	p := distractors.Protocols{Bojanic: e.Bojanic2019}
	if e.WorkbenchTasks != nil {
		w := *e.WorkbenchTasks
		w.TolerancePx = e.TolerancePx
		p.Workbench = &w
	}
	return p
}

// Pooled returns two lists of scenes, each in the order of the plan: those that
// have a descriptor's pools, and those that still lack them although they have
// not failed.
func (u *Units) Pooled(descriptor string) (scenes, open []string) {
	for _, scene := range u.Plan.Scenes {
		switch {
		case u.hasPools(descriptor, scene):
			scenes = append(scenes, scene)
		case u.LacksPools(descriptor, scene):
			open = append(open, scene)
		}
	}
	return scenes, open
}

// LacksPools reports whether a scene has not failed but lacks pools of a
// descriptor.
func (u *Units) LacksPools(descriptor, scene string) bool {
	_, failed := u.Failed(descriptor, scene)
	return !failed && !u.hasPools(descriptor, scene)
}

// hasPools reports whether all pools of a descriptor in a scene exist.
func (u *Units) hasPools(descriptor, scene string) bool {
	return !slices.ContainsFunc(u.Plan.TasksOf(descriptor), func(t Task) bool { return !u.Has(u.Pool(t, descriptor), scene) })
}
