package pairing

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
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
// pools of the others. The folder of the resulting unit is named after the
// scenes that have pools, so that units made with different pools are never
// confused.

// taskRows returns the rows that a task compares in image i.
func taskRows(w *features.Scene, d config.Descriptor, t plan.Task, i int) (*descriptors.Matrix, error) {
	if t.Raw {
		return w.Rooted(d, i)
	}
	m, _, err := w.Rows(d, i)
	return m, err
}

// writePools writes the scene's pool units for a descriptor.
func writePools(ctx context.Context, w *features.Scene, d config.Descriptor) error {
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
		file, err := w.Unit(w.Folder.Pool(t, d.Name, w.Source.Name), w.Source.Name)
		if err != nil {
			return err
		}
		if err := unitfile.WritePool(file, rows); err != nil {
			return plan.Fault(err)
		}
	}
	return nil
}

// Verify checks the eval unit and the pool units of a descriptor on a scene. The
// error matches fs.ErrNotExist if one is missing and store.Unusable if one must be
// recomputed.
func Verify(s *features.Stage, d config.Descriptor, scene string) error {
	file, err := s.Unit(s.Folder.Eval(d.Name, scene), scene)
	if err == nil {
		err = unitfile.VerifyEval(file)
	}
	for _, t := range s.Plan.TasksOf(d.Name) {
		if err != nil {
			break
		}
		if file, err = s.Unit(s.Folder.Pool(t, d.Name, scene), scene); err == nil {
			err = unitfile.VerifyPool(file)
		}
	}
	return err
}

// DoTasks computes the missing task units of the given scenes. It works on one
// descriptor and task after the other to keep only their pools in memory.
func DoTasks(ctx context.Context, s *features.Stage, scenes []string) error {
	for _, d := range s.Plan.Config.Descriptors {
		asked := s.Plan.TasksOf(d.Name)
		if len(asked) == 0 {
			continue
		}
		pooled, open := s.Folder.Pooled(s.Plan, d.Name)
		if len(open) > 0 {
			return plan.Faultf("descriptor %s: the tasks with distractors need every scene: %s; run the other shards, then rerun this one, or use --wait", d.Name, plan.Lack(s.Plan, "ready", open))
		}
		for _, t := range asked {
			if err := doTask(ctx, s, d, t, scenes, pooled); err != nil {
				return err
			}
		}
	}
	return nil
}

// doTask computes the missing units of one task and descriptor. pooled are the scenes
// with pools.
func doTask(ctx context.Context, s *features.Stage, d config.Descriptor, t plan.Task, scenes, pooled []string) error {
	var todo []string
	for _, scene := range scenes {
		if missing, _, err := lacksTask(s, d.Name, t, pooled, scene); err != nil {
			return err
		} else if missing {
			todo = append(todo, scene)
		}
	}
	if len(todo) == 0 {
		return nil
	}
	pools, err := readPools(s, d.Name, t, pooled)
	if err != nil {
		return err
	}
	return s.EachScene(ctx, todo, func(ctx context.Context, scene string) error {
		missing, unusable, err := lacksTask(s, d.Name, t, pooled, scene)
		if err != nil || !missing {
			return err // or another process has computed it in the meantime
		}
		s.NoteUnusable("unit", unusable)
		if err := taskScene(ctx, s, d, t, scene, pooled, pools); err != nil {
			return fmt.Errorf("%s, %s: tasks: %w", d.Name, scene, err)
		}
		return nil
	})
}

// readPools reads the pools of some scenes, whose rows must be of one kind.
func readPools(s *features.Stage, descriptor string, t plan.Task, scenes []string) (pools []distractors.Pool, err error) {
	var first distractors.Pool // of those with rows
	for _, scene := range scenes {
		var rows *descriptors.Matrix
		file, err := s.Unit(s.Folder.Pool(t, descriptor, scene), scene)
		if err == nil {
			rows, err = unitfile.ReadPool(file)
		}
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
	return pools, nil
}

// lacksTask reports whether the unit of a task and descriptor on a scene, which has
// not failed, is missing or must be recomputed because it is unusable.
func lacksTask(s *features.Stage, descriptor string, t plan.Task, pooled []string, scene string) (missing bool, unusable, err error) {
	file, err := s.Unit(s.Folder.Task(t, descriptor, pooled, scene), scene)
	if err == nil {
		err = unitfile.VerifyTasks(file)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !store.Unusable(err) {
		return false, nil, plan.Fault(err)
	}
	return err != nil && !plan.Missing(s.Folder.Eval(descriptor, scene)), err, nil
}

// taskScene computes and writes the unit of a task and descriptor on one scene.
func taskScene(ctx context.Context, s *features.Stage, d config.Descriptor, t plan.Task, name string, pooled []string, pools []distractors.Pool) error {
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
		unit.Bojanic, err = distractors.Bojanic(*e.Bojanic2019).Record(ctx, d.Name, view, t.Repetition, pools)
	} else {
		var record distractors.WorkbenchRecord
		record, err = plan.WorkbenchProtocol(e).Record(ctx, d.Name, view, pools)
		unit.Workbench = append(unit.Workbench, record)
	}
	s.Slots.Release(1)
	if err != nil {
		return err
	}
	took.Seconds = time.Since(start).Seconds()
	file, err := s.Unit(s.Folder.Task(t, d.Name, pooled, name), name)
	if err != nil {
		return err
	}
	if err := unitfile.WriteTasks(file, unit); err != nil {
		return plan.Fault(err)
	}
	return s.Folder.WriteTimes(plan.TaskTimes(t, d.Name), name, took)
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
