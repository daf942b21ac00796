package plan

import (
	"path/filepath"

	"descbench/eval/tasks"
	"descbench/pipeline/config"
	"descbench/pipeline/store"
)

// A Task is one of the tasks with distractors.
type Task struct {
	Name string // as its section of the config
	Seed uint64 // decides which image of a scene is in its pool
	Raw  bool   // its rows are those before normalisation
}

const (
	BojanicTask   = "bojanic_2019"
	workbenchTask = "workbench_tasks"
)

// TasksOf returns the tasks that an evaluation section asks for.
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

// BojanicProtocol returns the task that a section of the config asks for.
func BojanicProtocol(b *config.Bojanic2019) tasks.Bojanic {
	return tasks.Bojanic{N: b.N, Repetitions: b.Repetitions, Seed: b.Seed}
}

// WorkbenchProtocol returns the task that an evaluation section asks for.
func WorkbenchProtocol(e config.Evaluation) tasks.Workbench {
	w := e.WorkbenchTasks
	return tasks.Workbench{
		TolerancePx: e.TolerancePx, DistractorScenes: w.DistractorScenes, DistractorsPerScene: w.DistractorsPerScene, Seed: w.Seed,
	}
}

// Tasks is where the records of a scene lie that were made with pools of the
// given scenes.
func (f Folder) Tasks(descriptor string, pools []string, scene string) string {
	among := store.Key(append([]string{"pools"}, pools...)...)[:16]
	return filepath.Join(string(f), "units", "tasks", among, filepath.FromSlash(descriptor), scene+".zip")
}

// Pooled returns the scenes that have pools of a descriptor, in the order of the
// plan, and those that have neither pools nor a reason to have none.
func (f Folder) Pooled(plan *Plan, descriptor string) (scenes, open []string) {
	for _, scene := range plan.Scenes {
		there := true
		for _, t := range TasksOf(plan.Config.Evaluation) {
			there = there && !Missing(f.Pool(t.Name, descriptor, scene))
		}
		switch {
		case there:
			scenes = append(scenes, scene)
		case Missing(f.Failure(descriptor, scene)):
			open = append(open, scene)
		}
	}
	return scenes, open
}
