package pipeline

import (
	"descbench/eval/tasks"
	"descbench/pipeline/config"
	"descbench/pipeline/store"
	"path/filepath"
)

// A task is one of the tasks with distractors.
type task struct {
	name string // as its section of the config
	seed uint64 // decides which image of a scene is in its pool
	raw  bool   // its rows are those before normalisation
}

const (
	bojanicTask   = "bojanic_2019"
	workbenchTask = "workbench_tasks"
)

// tasksOf returns the tasks that an evaluation section asks for.
func tasksOf(e config.Evaluation) []task {
	var out []task
	if b := e.Bojanic2019; b != nil {
		out = append(out, task{name: bojanicTask, seed: b.Seed, raw: true})
	}
	if w := e.WorkbenchTasks; w != nil {
		out = append(out, task{name: workbenchTask, seed: w.Seed})
	}
	return out
}

func bojanicProtocol(b *config.Bojanic2019) tasks.Bojanic {
	return tasks.Bojanic{N: b.N, Repetitions: b.Repetitions, Seed: b.Seed}
}

func workbenchProtocol(e config.Evaluation) tasks.Workbench {
	w := e.WorkbenchTasks
	return tasks.Workbench{
		TolerancePx: e.TolerancePx, DistractorScenes: w.DistractorScenes, DistractorsPerScene: w.DistractorsPerScene, Seed: w.Seed,
	}
}

func (f folder) pool(task, descriptor, scene string) string {
	return filepath.Join(f.path, "units", "pools", task, filepath.FromSlash(descriptor), scene+".npz")
}

// tasks is where the records of a scene lie that were made with pools of the
// given scenes.
func (f folder) tasks(descriptor string, pools []string, scene string) string {
	among := store.Key(append([]string{"pools"}, pools...)...)[:16]
	return filepath.Join(f.path, "units", "tasks", among, filepath.FromSlash(descriptor), scene+".zip")
}

// pooled returns the scenes that have pools of a descriptor, in the order of the
// plan, and those that have neither pools nor a reason to have none.
func (f folder) pooled(plan *Plan, descriptor string) (scenes, open []string) {
	for _, scene := range plan.Scenes {
		there := true
		for _, t := range tasksOf(plan.Config.Evaluation) {
			there = there && !missing(f.pool(t.name, descriptor, scene))
		}
		switch {
		case there:
			scenes = append(scenes, scene)
		case missing(f.failure(descriptor, scene)):
			open = append(open, scene)
		}
	}
	return scenes, open
}
