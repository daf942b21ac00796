package fold

import (
	"context"
	"errors"
	"io/fs"
	"runtime"
	"slices"

	"descbench/eval/distractors"
	"descbench/eval/fact"
	"descbench/eval/scope"
	"descbench/pipeline/plan"
	"descbench/pipeline/store/unitfile"
)

// foldTasks returns the metrics of one descriptor in the tasks with distractors, without units none.
func foldTasks(ctx context.Context, units *plan.Units, descriptor string) ([]scope.Metric, []fact.Fact, error) {
	if units == nil || len(units.Plan.TasksOf(descriptor)) == 0 {
		return nil, nil, nil
	}
	p := units.Plan
	pooled, _ := units.Pooled(descriptor)
	tasks := distractors.NewAccumulator(descriptor, plan.Protocols(p.Config.Evaluation))
	for _, scene := range p.Scenes {
		if !slices.Contains(pooled, scene) {
			tasks.Fail(scene)
		}
	}
	for _, scene := range pooled {
		unit, err := taskRecords(units, descriptor, pooled, scene)
		if err == nil {
			err = tasks.Add(scene, unit.Workbench, unit.Bojanic)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	return tasks.Result(ctx, runtime.GOMAXPROCS(0))
}

// taskRecords returns the records of all tasks of a descriptor on a scene.
func taskRecords(units *plan.Units, descriptor string, pooled []string, scene string) (all unitfile.TaskUnit, err error) {
	for _, t := range units.Plan.TasksOf(descriptor) {
		unit, err := plan.ReadUnit(units, units.Task(t, descriptor, pooled), scene, unitfile.Tasks)
		if errors.Is(err, fs.ErrNotExist) {
			return all, plan.Faultf("descriptor %s: no task records of %s yet; for its shard, rerun the same command, then fold", descriptor, scene)
		} else if err != nil {
			return all, plan.Recreate(err)
		}
		all.Workbench = append(all.Workbench, unit.Workbench...)
		all.Bojanic = append(all.Bojanic, unit.Bojanic...)
	}
	return all, nil
}
