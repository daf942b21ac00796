package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"descbench/descriptors"
	"descbench/eval"
	"descbench/eval/tasks"
	"descbench/keypoints"
	"descbench/pipeline/config"
	"descbench/pipeline/store"
)

// The tasks with distractors take two steps. While a scene is evaluated, the
// rows of one of its images go into a pool unit for each task. When every scene
// has its pool units or has failed, each scene's records are computed with the
// pools of the others. Their unit lies in a folder named after the scenes that
// have pools, so that it is never taken for one made among others.

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

// taskRows returns the rows that a task compares, for image i.
func (w *sceneWork) taskRows(d config.Descriptor, t task, i int) (*descriptors.Matrix, error) {
	m, _, err := w.rooted(d, i)
	if err != nil || t.raw {
		return m, err
	}
	return normalized(m, d.Normalize)
}

// writePools writes the scene's pool units of a descriptor.
func (w *sceneWork) writePools(ctx context.Context, d config.Descriptor) error {
	for _, t := range tasksOf(w.plan.Config.Evaluation) {
		if err := w.slots.Acquire(ctx, 1); err != nil {
			return err
		}
		rows, err := w.taskRows(d, t, tasks.PoolImage(t.seed, w.scene.Name, images))
		w.slots.Release(1)
		if err != nil {
			return err
		}
		if err := store.WritePool(w.folder.pool(t.name, d.Name, w.scene.Name), rows); err != nil {
			return place(err)
		}
	}
	return nil
}

// hasPools reports whether the scene's pool units of a descriptor are there.
func (r *runner) hasPools(d config.Descriptor, scene string) bool {
	for _, t := range tasksOf(r.plan.Config.Evaluation) {
		if missing(r.folder.pool(t.name, d.Name, scene)) {
			return false
		}
	}
	return true
}

// doTasks computes the missing task units of the given scenes, descriptor by
// descriptor, so that only one descriptor's pools are in memory.
func (r *runner) doTasks(ctx context.Context, scenes []string) error {
	asked := tasksOf(r.plan.Config.Evaluation)
	if len(asked) == 0 {
		return nil
	}
	for _, d := range r.plan.Config.Descriptors {
		pooled, open := r.folder.pooled(r.plan, d.Name)
		if len(open) > 0 {
			return dataErrorf("descriptor %s: pools incomplete: %d of %d scenes (missing %s); run the other shards, then this one again",
				d.Name, len(pooled), len(r.plan.Scenes), strings.Join(open, ", "))
		}
		var todo []string
		for _, scene := range scenes {
			_, err := store.ReadTasks(r.folder.tasks(d.Name, pooled, scene))
			switch {
			case err == nil:
			case !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, store.ErrDamaged):
				return place(err)
			case missing(r.folder.eval(d.Name, scene)): // failed
			default:
				todo = append(todo, scene)
			}
		}
		if len(todo) == 0 {
			continue
		}
		pools := make(map[string][]tasks.Pool)
		for _, t := range asked {
			for _, scene := range pooled {
				rows, err := store.ReadPool(r.folder.pool(t.name, d.Name, scene))
				if err != nil {
					return dataErrorf("%w; remove the file and run the same run again", err)
				}
				pools[t.name] = append(pools[t.name], tasks.Pool{Scene: scene, Rows: rows})
			}
		}
		err := r.eachScene(ctx, todo, func(ctx context.Context, scene string) error {
			if err := r.taskScene(ctx, d, scene, pooled, pools); err != nil {
				return fmt.Errorf("%s, %s: tasks: %w", d.Name, scene, err)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// taskScene computes and writes the task unit of a descriptor on one scene.
func (r *runner) taskScene(ctx context.Context, d config.Descriptor, name string, pooled []string, pools map[string][]tasks.Pool) error {
	w, err := r.openScene(ctx, name)
	if err != nil {
		return err
	}
	defer w.close()
	sets, err := w.load(ctx, d)
	if err != nil {
		return err
	}
	var unit store.TaskUnit
	opt := tasks.Options{Workers: r.opt.Jobs, Slots: r.slots}
	e := r.plan.Config.Evaluation
	for _, t := range tasksOf(e) {
		scene, err := w.taskView(ctx, d, t, sets)
		if err != nil {
			return err
		}
		if t.name == bojanicTask {
			if unit.Bojanic, err = bojanicProtocol(e.Bojanic2019).Record(ctx, d.Name, scene, pools[t.name], opt); err != nil {
				return err
			}
			continue
		}
		record, err := workbenchProtocol(e).Record(ctx, d.Name, scene, pools[t.name], opt)
		if err != nil {
			return err
		}
		unit.Workbench = append(unit.Workbench, record)
	}
	return place(store.WriteTasks(r.folder.tasks(d.Name, pooled, name), unit))
}

// taskView returns the scene as a task sees it.
func (w *sceneWork) taskView(ctx context.Context, d config.Descriptor, t task, sets []keypoints.Set) (*tasks.Scene, error) {
	scene := &tasks.Scene{Name: w.scene.Name, Images: make([]tasks.Image, images), Homographies: w.scene.Homographies[:]}
	err := w.eachImage(ctx, func(i int) error {
		img := w.scene.Images[i]
		rows, err := w.taskRows(d, t, i)
		scene.Images[i] = tasks.Image{Width: img.Width, Height: img.Height, Keypoints: sets[i].Keypoints, Rows: rows}
		return err
	})
	return scene, err
}

// foldTasks returns the figures of the tasks of one descriptor.
func foldTasks(ctx context.Context, f folder, plan *Plan, descriptor string) ([]eval.Metric, []eval.Warning, error) {
	e := plan.Config.Evaluation
	if len(tasksOf(e)) == 0 {
		return nil, nil, nil
	}
	pooled, _ := f.pooled(plan, descriptor)
	var workbench *tasks.WorkbenchAccumulator
	if e.WorkbenchTasks != nil {
		var err error
		if workbench, err = tasks.NewWorkbenchAccumulator(descriptor, workbenchProtocol(e), e.WorkbenchTasks.HardNegatives); err != nil {
			return nil, nil, err
		}
	}
	var bojanic *tasks.BojanicAccumulator
	if e.Bojanic2019 != nil {
		bojanic = tasks.NewBojanicAccumulator(descriptor, bojanicProtocol(e.Bojanic2019))
	}
	for _, scene := range plan.Scenes {
		if slices.Contains(pooled, scene) {
			continue
		}
		if workbench != nil {
			workbench.Fail(scene)
		}
		if bojanic != nil {
			bojanic.Fail(scene)
		}
	}
	for _, scene := range pooled {
		unit, err := store.ReadTasks(f.tasks(descriptor, pooled, scene))
		if err != nil {
			return nil, nil, dataErrorf("%w; run the same run again", err)
		}
		for _, record := range unit.Workbench {
			if workbench == nil {
				break // an evaluation of the records without this task
			}
			if err := workbench.Add(record); err != nil {
				return nil, nil, err
			}
		}
		if bojanic != nil {
			if err := bojanic.Add(scene, unit.Bojanic); err != nil {
				return nil, nil, err
			}
		}
	}
	var metrics []eval.Metric
	var warnings []eval.Warning
	if workbench != nil {
		m, w := workbench.Result()
		metrics, warnings = append(metrics, m...), append(warnings, w...)
	}
	if bojanic != nil {
		m, w, err := bojanic.Result(ctx, runtime.GOMAXPROCS(0))
		if err != nil {
			return nil, nil, err
		}
		metrics, warnings = append(metrics, m...), append(warnings, w...)
	}
	return metrics, warnings, nil
}
