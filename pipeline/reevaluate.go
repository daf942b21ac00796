package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"descbench/eval"
	"descbench/pipeline/config"
	"descbench/pipeline/store"
)

// Reevaluate computes a run's metrics again from its records, with the changes
// to the config's evaluation section that set asks for ("evaluation.ties=strict").
// What the records cannot answer is refused. It writes metrics.csv and
// summary.json into the folder out, unless that is empty; it never alters the
// run.
func Reevaluate(ctx context.Context, run string, set []string, out string) (*Outcome, error) {
	f := folder{run}
	if out != "" && sameFolder(out, run) {
		return nil, dataErrorf("--out %s is the run folder itself, which eval never alters; choose another", out)
	}
	plan, records, err := reevaluated(ctx, f, set)
	if err != nil {
		return nil, err
	}
	r, err := newRun(f, plan, records)
	if err != nil {
		return nil, err
	}
	summary, err := store.NewSummary(r)
	if err != nil {
		return nil, err
	}
	outcome := &Outcome{Folder: run, Config: plan.Config, Summary: &summary, Timings: r.Timings}
	if out != "" {
		if err := os.MkdirAll(out, 0o777); err != nil {
			return nil, &DataError{err}
		}
		if err := errors.Join(
			store.WriteMetricsCSV(filepath.Join(out, "metrics.csv"), r.Results),
			store.WriteSummary(filepath.Join(out, "summary.json"), summary),
		); err != nil {
			return nil, place(err)
		}
	}
	return outcome, failures(plan, &summary)
}

// reevaluated folds the records of a run again, with changes to the evaluation
// section, and returns the plan so changed.
func reevaluated(ctx context.Context, f folder, set []string) (*Plan, *folded, error) {
	begun, err := f.plan()
	if err != nil {
		return nil, nil, err
	}
	cfg, err := evaluationChanged(f, set)
	if err != nil {
		return nil, nil, err
	}
	plan, err := newPlan(cfg, begun.Scenes)
	if err != nil {
		return nil, nil, err
	}
	records, err := readRecords(ctx, f, plan)
	return plan, records, err
}

// evaluationChanged loads the run's config with changes to its evaluation
// section.
func evaluationChanged(f folder, set []string) (*config.Config, error) {
	for _, s := range set {
		if !strings.HasPrefix(s, "evaluation.") {
			return nil, &config.Error{File: "--set " + s, Msg: "eval works from the records of a run: only evaluation.* can change; for anything else run the experiment anew"}
		}
	}
	cfg, err := config.Load(f.config(), config.Overrides{Set: set})
	if err != nil || len(set) == 0 {
		return cfg, err
	}
	begun, err := f.plan()
	if err != nil {
		return nil, err
	}
	return cfg, answerable(begun.Config.Evaluation, cfg.Evaluation)
}

// answerable refuses an evaluation that the records of a run with another one
// cannot answer.
func answerable(begun, now config.Evaluation) error {
	for _, x := range []struct {
		key, missing string
		same         bool
	}{
		{"relevance", "the ranks under the rule " + now.Relevance, begun.Relevance == now.Relevance},
		{"fixed_gallery", "the ranks in such galleries", now.FixedGallery == nil || equalTo(begun.FixedGallery, now.FixedGallery)},
		{"estimators", "the corner errors of the homographies that these estimate", slices.Equal(begun.Estimators, now.Estimators)},
		{"bojanic_2019", "the distances of the keypoints that it draws", now.Bojanic2019 == nil || equalTo(begun.Bojanic2019, now.Bojanic2019)},
		{"workbench_tasks", "the counts with such distractors", now.WorkbenchTasks == nil || begun.WorkbenchTasks != nil && sameDraws(*begun.WorkbenchTasks, *now.WorkbenchTasks) && begun.TolerancePx == now.TolerancePx},
	} {
		if !x.same {
			return &config.Error{File: "--set", Key: "evaluation." + x.key, Msg: "the records of the run lack " + x.missing + ", which need the features again: run the experiment anew, under another name"}
		}
	}
	return nil
}

// sameDraws reports whether two sections differ at most in what the records
// answer either way.
func sameDraws(a, b config.WorkbenchTasks) bool {
	a.HardNegatives = b.HardNegatives
	return a == b
}

// equalTo reports whether two optional sections are the same.
func equalTo[T comparable](a, b *T) bool { return a != nil && b != nil && *a == *b }

func sameFolder(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}

// readRecords feeds the record files of a run into accumulators.
func readRecords(ctx context.Context, f folder, plan *Plan) (*folded, error) {
	type unitKey struct{ descriptor, scene string }
	pairs := make(map[unitKey][]eval.Pair)
	err := store.ReadPairs(f.pairs(), func(batch []eval.Pair) error {
		for _, p := range batch {
			key := unitKey{strings.Clone(p.Descriptor), strings.Clone(p.Scene)}
			pairs[key] = append(pairs[key], p)
		}
		return nil
	})
	if err != nil {
		return nil, notFolded(f, err)
	}
	judges := make(map[string]*judge)
	for _, d := range plan.Config.Descriptors {
		if judges[d.Name], err = newJudge(d.Name, plan.Config.Evaluation); err != nil {
			return nil, err
		}
	}
	// The queries of a unit stand together in the file, and so do the units of
	// a descriptor.
	var unit store.EvalUnit
	var current *judge
	added := make(map[unitKey]bool)
	flush := func() error {
		if len(unit.Queries) == 0 {
			return nil
		}
		key := unitKey{unit.Queries[0].Descriptor, unit.Queries[0].Scene}
		judge := judges[key.descriptor]
		if judge == nil || added[key] {
			return fmt.Errorf("%s: records of %s, %s are out of place", f.queries(), key.descriptor, key.scene)
		}
		if current != nil && current != judge {
			if err := current.close(ctx); err != nil {
				return fmt.Errorf("%s: %w", f.queries(), err)
			}
		}
		added[key] = true
		current = judge
		unit.Pairs = pairs[key]
		err := judge.add(unit)
		unit.Queries = unit.Queries[:0]
		return err
	}
	err = store.ReadQueries(f.queries(), func(batch []eval.Query) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		for _, q := range batch {
			if n := len(unit.Queries); n > 0 && (unit.Queries[n-1].Scene != q.Scene || unit.Queries[n-1].Descriptor != q.Descriptor) {
				if err := flush(); err != nil {
					return err
				}
			}
			unit.Queries = append(unit.Queries, q)
		}
		return nil
	})
	if err != nil {
		return nil, notFolded(f, err)
	}
	if err := flush(); err != nil {
		return nil, err
	}
	out := newFolded()
	for _, d := range plan.Config.Descriptors {
		for _, scene := range plan.Scenes {
			key := unitKey{d.Name, scene}
			if len(pairs[key]) == 0 {
				if err := failAgain(f, judges[d.Name], d.Name, scene); err != nil {
					return nil, err
				}
				continue
			}
			if !added[key] { // images without keypoints: pairs, but no queries
				if err := judges[d.Name].add(store.EvalUnit{Pairs: pairs[key]}); err != nil {
					return nil, err
				}
			}
			out.note(d, plan.Config.SetOf(d), pairs[key])
		}
		result, err := judges[d.Name].result(ctx, f, plan)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", d.Name, err)
		}
		out.results = append(out.results, result)
	}
	return out, nil
}

// failAgain enters a scene that has no records with the reason that the run
// gave.
func failAgain(f folder, judge *judge, descriptor, scene string) error {
	var record failureRecord
	if err := readJSON(f.failure(descriptor, scene), &record); err != nil {
		return err
	}
	judge.fail(scene, record.Reason)
	return nil
}

// notFolded says what to do about missing or damaged records.
func notFolded(f folder, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return dataErrorf("%s: has no records yet (%w); see descbench status %s", f.path, err, f.path)
	case errors.Is(err, store.ErrDamaged):
		return dataErrorf("%w; descbench fold %s writes it again", err, f.path)
	}
	return &DataError{err}
}
