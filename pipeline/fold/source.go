package fold

import (
	"context"
	"errors"
	"io/fs"
	"iter"
	"runtime"
	"slices"

	"descbench/eval/catalogue"
	"descbench/eval/distractors"
	"descbench/eval/fact"
	"descbench/eval/record"
	"descbench/eval/scope"
	"descbench/pipeline/dataset"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
	"descbench/pipeline/store/records"
	"descbench/pipeline/store/unitfile"
)

// A source has the records that a run is folded from, and what is known of its scenes.
type source interface {
	// unit returns the records of a descriptor in a scene. Fold reads each once, in the order of the plan:
	// of the first descriptor those of all scenes, and so on. The error is fs.ErrNotExist if there are none.
	unit(descriptor, scene string) (unitfile.EvalUnit, error)
	// failure returns the reason why there are none.
	failure(descriptor, scene string) (reason string, failed bool)
	// path returns the path of the file that has the records, or lacks them.
	path(descriptor, scene string) string
	// tasks returns the metrics of a descriptor in the tasks with distractors.
	tasks(ctx context.Context, descriptor string) ([]scope.Metric, []fact.Fact, error)
	// aboutScene returns which images another scene has, too, and what else is doubtful about the data of a scene.
	aboutScene(scene string) (copied, others []fact.Fact, err error)
	// end returns an error if the records that were read do not belong together.
	end() error
}

// unitSource is the source of a run with units.
type unitSource struct {
	*plan.Units
	same   func() error
	images map[string]string // scenes by the digests of their images
}

func newUnitSource(units *plan.Units) *unitSource {
	return &unitSource{units, units.SameData(), make(map[string]string)}
}

func (s *unitSource) unit(descriptor, scene string) (unitfile.EvalUnit, error) {
	return readUnit(s.Units, descriptor, scene)
}

func (s *unitSource) failure(descriptor, scene string) (reason string, failed bool) {
	return s.Failed(descriptor, scene)
}

func (s *unitSource) path(descriptor, scene string) string { return s.Path(s.Eval(descriptor), scene) }

func (s *unitSource) end() error { return s.same() }

func (s *unitSource) aboutScene(scene string) (copied, others []fact.Fact, err error) {
	record, err := s.Record(scene)
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // it could not be opened
		return nil, nil, err
	}
	return dataset.Shared(s.images, scene, record.Images), record.Facts, nil
}

func (s *unitSource) tasks(ctx context.Context, descriptor string) ([]scope.Metric, []fact.Fact, error) {
	if len(s.Plan.TasksOf(descriptor)) == 0 {
		return nil, nil, nil
	}
	pooled, _ := s.Pooled(descriptor)
	tasks := distractors.NewAccumulator(descriptor, plan.Protocols(s.Plan.Config.Evaluation))
	for _, scene := range s.Plan.Scenes {
		if !slices.Contains(pooled, scene) {
			tasks.Fail(scene)
		}
	}
	for _, scene := range pooled {
		unit, err := s.taskRecords(descriptor, pooled, scene)
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
func (s *unitSource) taskRecords(descriptor string, pooled []string, scene string) (all unitfile.TaskUnit, err error) {
	for _, t := range s.Plan.TasksOf(descriptor) {
		unit, err := plan.ReadUnit(s.Units, s.Task(t, descriptor, pooled), scene, unitfile.Tasks)
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

// recordSource is the source of a run that was shared without units: queries.parquet and pairs.parquet. What these
// do not give, it takes from the results: why scenes failed, what is doubtful about their images, and tasks.
type recordSource struct {
	run         *Run
	taskMetrics map[string][]scope.Metric // by descriptor

	// What unit has not returned yet.
	pairs   []record.Pair
	queries []record.Query
	more    func() ([]record.Query, error, bool) // reads further queries
}

// foldShared folds a run that was shared without units in another folder.
func foldShared(ctx context.Context, f, to plan.Folder) (*Run, error) {
	run, err := load(string(f))
	if err != nil {
		return nil, err
	}
	s := &recordSource{run: run, taskMetrics: make(map[string][]scope.Metric)}
	err = store.ReadMetricsCSV(f.Metrics(), func(descriptor string, m scope.Metric) {
		if catalogue.Of(m.Name).Group == "tasks" {
			s.taskMetrics[descriptor] = append(s.taskMetrics[descriptor], m)
		}
	})
	if err != nil {
		return nil, plan.Fault(err)
	}
	if s.pairs, err = run.PairRecords(); err != nil {
		return nil, err
	}
	more, stop := iter.Pull2(queriesOf(f.Queries()))
	defer stop()
	s.more = more
	return foldFrom(ctx, to, run.plan, s, nil)
}

// queriesOf iterates over the query records of a file, of which it has many in memory.
func queriesOf(path string) iter.Seq2[[]record.Query, error] {
	return func(yield func([]record.Query, error) bool) {
		stopped := errors.New("not wanted any more")
		err := records.Read(path, func(rows []record.Query) error {
			if !yield(rows, nil) {
				return stopped
			}
			return nil
		})
		if err != nil && !errors.Is(err, stopped) {
			yield(nil, err)
		}
	}
}

func (s *recordSource) unit(descriptor, scene string) (u unitfile.EvalUnit, err error) {
	n := 0
	for n < len(s.pairs) && s.pairs[n].Descriptor == descriptor && s.pairs[n].Scene == scene {
		n++
	}
	if u.Pairs, s.pairs = s.pairs[:n], s.pairs[n:]; n == 0 {
		return u, fs.ErrNotExist
	}
	for there := true; there && err == nil; {
		n := 0
		for n < len(s.queries) && s.queries[n].Descriptor == descriptor && s.queries[n].Scene == scene {
			n++
		}
		u.Queries = append(u.Queries, s.queries[:n]...)
		if s.queries = s.queries[n:]; len(s.queries) > 0 {
			break
		}
		s.queries, err, there = s.more()
	}
	return u, plan.Fault(err)
}

func (s *recordSource) failure(descriptor, scene string) (reason string, failed bool) {
	for _, f := range s.run.Summary.FailedScenes[scene] {
		if slices.Contains(f.Descriptors, descriptor) {
			return f.Reason, true
		}
	}
	return "", false
}

func (s *recordSource) path(string, string) string { return s.run.RunFolder().Pairs() }

// end finds nothing: records that unit did not return are missing in the new files, which Recompute compares.
func (s *recordSource) end() error { return nil }

func (s *recordSource) aboutScene(scene string) (copied, others []fact.Fact, err error) {
	computed := []fact.Kind{fact.CopiedPlanes, fact.CopiedKeypoints, fact.OutsidePreset}
	for _, f := range s.run.Summary.Warnings {
		switch {
		case f.Descriptor != "" || !slices.Equal(f.Scenes, []string{scene}) || slices.Contains(computed, f.Kind):
		case f.Kind == fact.CopiedScene:
			copied = append(copied, f)
		default:
			others = append(others, f)
		}
	}
	return copied, others, nil
}

func (s *recordSource) tasks(_ context.Context, descriptor string) ([]scope.Metric, []fact.Fact, error) {
	tasks := s.run.plan.TasksOf(descriptor)
	if len(tasks) == 0 {
		return nil, nil, nil
	}
	var facts []fact.Fact
	for _, f := range s.run.Summary.Warnings {
		if f.Descriptor == descriptor && slices.ContainsFunc(tasks, func(t plan.Task) bool { return t.Name == f.Part }) {
			facts = append(facts, f)
		}
	}
	return s.taskMetrics[descriptor], facts, nil
}
