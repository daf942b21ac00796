package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
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
		if strings.HasPrefix(s, "evaluation.relevance") {
			return nil, &config.Error{File: "--set " + s, Msg: "the records hold ranks under the run's own relevance rule; another needs the features again: run the experiment anew"}
		}
	}
	return config.Load(f.config(), config.Overrides{Set: set})
}

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
	accumulators := make(map[string]*eval.Accumulator)
	nearest := make(map[string]*nearestPairs)
	for _, d := range plan.Config.Descriptors {
		if accumulators[d.Name], err = newAccumulator(d.Name, plan.Config.Evaluation); err != nil {
			return nil, err
		}
		nearest[d.Name] = newNearestPairs(plan.Config.Evaluation.TolerancePx)
	}
	// The queries of a unit stand together in the file, and so do the units of
	// a descriptor.
	var unit store.EvalUnit
	var current *nearestPairs
	added := make(map[unitKey]bool)
	flush := func() error {
		if len(unit.Queries) == 0 {
			return nil
		}
		key := unitKey{unit.Queries[0].Descriptor, unit.Queries[0].Scene}
		acc := accumulators[key.descriptor]
		if acc == nil || added[key] {
			return fmt.Errorf("%s: records of %s, %s are out of place", f.queries(), key.descriptor, key.scene)
		}
		if current != nil && current != nearest[key.descriptor] {
			if err := current.close(); err != nil {
				return fmt.Errorf("%s: %w", f.queries(), err)
			}
		}
		added[key] = true
		current = nearest[key.descriptor]
		current.add(unit.Queries)
		unit.Pairs = pairs[key]
		err := addUnit(acc, unit)
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
				if err := failAgain(f, accumulators[d.Name], d.Name, scene); err != nil {
					return nil, err
				}
				continue
			}
			if !added[key] { // images without keypoints: pairs, but no queries
				if err := addUnit(accumulators[d.Name], store.EvalUnit{Pairs: pairs[key]}); err != nil {
					return nil, err
				}
			}
			out.note(d, plan.Config.SetOf(d), pairs[key])
		}
		result := accumulators[d.Name].Result()
		if err := nearest[d.Name].into(&result); err != nil {
			return nil, err
		}
		out.results = append(out.results, result)
	}
	return out, nil
}

// failAgain enters a scene that has no records with the reason that the run
// gave.
func failAgain(f folder, acc *eval.Accumulator, descriptor, scene string) error {
	var record failureRecord
	if err := readJSON(f.failure(descriptor, scene), &record); err != nil {
		return err
	}
	acc.Fail(scene, record.Reason)
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
