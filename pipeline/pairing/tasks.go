package pairing

import (
	"context"
	"fmt"
	"slices"
	"time"

	"descbench/descriptors"
	"descbench/eval/distractors"
	"descbench/keypoints"
	"descbench/pipeline/config"
	"descbench/pipeline/features"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
	"descbench/pipeline/store/unitfile"
)

// The tasks with distractors take two steps. While a scene is evaluated, the
// rows of one of its images go into a pool unit for each task and repetition. Once every scene
// has its pool units or has failed, each scene's records are computed with the
// pools of the others, and written: those of all scenes would take too much memory.

// taskRows returns the rows that a task compares in image i.
func taskRows(w *features.Scene, d config.Descriptor, t plan.Task, i int) (*descriptors.Matrix, error) {
	if t.Raw {
		return w.Rooted(d, i)
	}
	m, _, err := w.Rows(d, i)
	return m, err
}

// putPools adds the scene's pool units for a descriptor.
func putPools(ctx context.Context, w *features.Scene, d config.Descriptor) error {
	for _, t := range w.Plan.TasksOf(d.Name) {
		if err := w.Slots.Acquire(ctx, 1); err != nil {
			return err
		}
		image := distractors.PoolImage(t.Seed, w.Source.Name, t.Repetition, len(w.Source.Images))
		rows, err := taskRows(w, d, t, image)
		w.Slots.Release(1)
		if err != nil {
			return fmt.Errorf("%s: %w", w.Source.Where(image), err)
		}
		if err := plan.Put(w.Units, w.Units.Pool(t, d.Name), unitfile.Features, rows); err != nil {
			return err
		}
	}
	return nil
}

// Evaluated reports whether the units of a descriptor on a scene are there: records and pools.
func Evaluated(w *features.Scene, d config.Descriptor) bool {
	lacks := func(t plan.Task) bool { return !w.Units.Has(w.Units.Pool(t, d.Name)) }
	return w.Units.Has(w.Units.Eval(d.Name)) && !slices.ContainsFunc(w.Plan.TasksOf(d.Name), lacks)
}

// DoTasks computes the missing task units of the given scenes. It works on one
// descriptor and task after the other to keep only their pools in memory.
func DoTasks(ctx context.Context, s *features.Stage, scenes []string) error {
	units, err := s.Units()
	if err != nil {
		return err
	}
	units.Forget()
	for _, d := range s.Plan.Config.Descriptors {
		asked := s.Plan.TasksOf(d.Name)
		if len(asked) == 0 {
			continue
		}
		pooled, open := units.Pooled(d.Name)
		if len(open) > 0 {
			return plan.Faultf("descriptor %s: the tasks with distractors need every scene: %s; run the other shards, then rerun this one, or use --wait", d.Name, plan.Lack(s.Plan, "ready", open))
		}
		for _, t := range asked {
			if err := doTask(ctx, s, units, d, t, scenes, pooled); err != nil {
				return err
			}
		}
	}
	return nil
}

// doTask computes the missing units of one task and descriptor. pooled are the scenes
// with pools.
func doTask(ctx context.Context, s *features.Stage, units *plan.Units, d config.Descriptor, t plan.Task, scenes, pooled []string) error {
	records := units.Task(t, d.Name, pooled)
	lacks := func(scene string) bool { return !units.Has(records, scene) && units.Has(units.Eval(d.Name), scene) }
	todo := slices.DeleteFunc(slices.Clone(scenes), func(scene string) bool { return !lacks(scene) })
	if len(todo) == 0 {
		return nil
	}
	pools, err := readPools(units, d.Name, t, pooled)
	if err != nil {
		return err
	}
	return s.EachScene(ctx, todo, func(ctx context.Context, scene string) error {
		if !lacks(scene) {
			return nil // another process has computed it in the meantime
		}
		if err := taskScene(ctx, s, d, t, scene, records, pools); err != nil {
			return fmt.Errorf("%s, %s: tasks: %w", d.Name, scene, err)
		}
		return nil
	})
}

// readPools reads the pools of some scenes, whose rows must be of one kind.
func readPools(units *plan.Units, descriptor string, t plan.Task, scenes []string) (pools []distractors.Pool, err error) {
	same := units.SameData()
	var first distractors.Pool // of those with rows
	for _, scene := range scenes {
		rows, err := plan.ReadUnit(units, units.Pool(t, descriptor), scene, unitfile.Features)
		if err != nil {
			return nil, plan.Faultf("%w; rerun the shard of %s to recreate it", err, scene)
		}
		pool := distractors.Pool{Scene: scene, Rows: rows}
		if first.Rows == nil && rows.Rows > 0 {
			first = pool
		} else if rows.Rows > 0 && (rows.Type != first.Rows.Type || rows.Dim != first.Rows.Dim) {
			return nil, plan.Faultf("descriptor %s: rows have %d elements of type %v in %s, but %d of type %v in %s, and cannot be compared; correct the files and rerun with --overwrite",
				descriptor, rows.Dim, rows.Type, scene, first.Rows.Dim, first.Rows.Type, first.Scene)
		}
		pools = append(pools, pool)
	}
	return pools, same()
}

// taskScene computes and writes the unit of a task and descriptor on one scene.
func taskScene(ctx context.Context, s *features.Stage, d config.Descriptor, t plan.Task, name string, records plan.Unit, pools []distractors.Pool) error {
	w, err := s.Open(ctx, name)
	if err != nil {
		return err
	}
	defer w.Close()
	sets, err := w.Load(ctx, d)
	if err != nil {
		return err
	}
	took := store.Timing{Descriptor: d.Name, Scene: name, Stage: store.TasksStage, Images: len(sets)}
	for _, set := range sets {
		took.Keypoints += set.Len()
	}
	view, err := taskView(ctx, w, d, t, sets)
	if err != nil {
		return err
	}
	if err := s.Slots.Acquire(ctx, 1); err != nil {
		return err
	}
	start := time.Now()
	var unit unitfile.TaskUnit
	e := s.Plan.Config.Evaluation
	if t.Name == plan.BojanicTask {
		unit.Bojanic, err = plan.Protocols(e).Bojanic.Record(ctx, d.Name, view, t.Repetition, pools)
	} else {
		var record distractors.WorkbenchRecord
		record, err = plan.Protocols(e).Workbench.Record(ctx, d.Name, view, pools)
		unit.Workbench = append(unit.Workbench, record)
	}
	s.Slots.Release(1)
	if err != nil {
		return err
	}
	took.Seconds = time.Since(start).Seconds()
	if err := plan.Put(w.Units, records, unitfile.Tasks, unit); err != nil {
		return err
	}
	w.Units.PutTimes(plan.TaskTimes(t, d.Name), took)
	return w.Units.Write()
}

// taskView returns the scene in the form that a task needs.
func taskView(ctx context.Context, w *features.Scene, d config.Descriptor, t plan.Task, sets []keypoints.Set) (*distractors.Scene, error) {
	scene := &distractors.Scene{Name: w.Source.Name, Images: make([]distractors.Image, len(sets)), There: make([][]keypoints.Place, len(sets))}
	err := w.EachImage(ctx, func(i int) error {
		img := w.Source.Images[i]
		rows, err := taskRows(w, d, t, i)
		if err != nil {
			return err
		}
		m, err := w.Source.Mapping(i)
		scene.There[i] = m.Places(sets[0].Keypoints)
		scene.Images[i] = distractors.Image{Width: img.Width, Height: img.Height, Keypoints: sets[i].Keypoints, Rows: rows}
		return err
	})
	return scene, err
}
