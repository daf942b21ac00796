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

// foldTasks returns the metrics of one descriptor in the tasks with distractors.
func foldTasks(ctx context.Context, units *plan.Units, descriptor string) ([]scope.Metric, []fact.Fact, error) {
	p := units.Plan
	e := p.Config.Evaluation
	if len(p.TasksOf(descriptor)) == 0 {
		return nil, nil, nil
	}
	pooled, _ := units.Pooled(descriptor)
	var workbench *distractors.WorkbenchAccumulator
	if e.WorkbenchTasks != nil {
		workbench = distractors.NewWorkbenchAccumulator(descriptor, plan.WorkbenchProtocol(e), e.WorkbenchTasks.HardNegatives)
	}
	var bojanic *distractors.BojanicAccumulator
	if e.Bojanic2019 != nil {
		bojanic = distractors.NewBojanicAccumulator(descriptor, distractors.Bojanic(*e.Bojanic2019))
	}
	for _, scene := range p.Scenes {
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
		unit, err := taskRecords(units, descriptor, pooled, scene)
		if err != nil {
			return nil, nil, err
		}
		for _, record := range unit.Workbench {
			if workbench == nil {
				break // re-evaluation without this task
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
	var metrics []scope.Metric
	var facts []fact.Fact
	if workbench != nil {
		m, f := workbench.Result()
		metrics, facts = append(metrics, m...), append(facts, f...)
	}
	if bojanic != nil {
		m, f, err := bojanic.Result(ctx, runtime.GOMAXPROCS(0))
		if err != nil {
			return nil, nil, err
		}
		metrics, facts = append(metrics, m...), append(facts, f...)
	}
	return metrics, facts, nil
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
