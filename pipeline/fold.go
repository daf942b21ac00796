package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"descbench/pipeline/store"
)

// Fold turns the units of a complete run into its results. It refuses a run
// of which units are missing, unless those scenes are recorded as failed; then
// it returns a FailedScenesError beside the Outcome.
func Fold(ctx context.Context, path string) (*Outcome, error) { return fold(ctx, folder{path}) }

func fold(ctx context.Context, f folder) (*Outcome, error) {
	plan, err := f.plan()
	if err != nil {
		return nil, err
	}
	if err := complete(f, plan); err != nil {
		return nil, err
	}
	// What killed processes left half-written; what others write now is younger.
	if _, err := store.RemoveTemporary(f.path, claimLife); err != nil {
		return nil, place(err)
	}
	records, err := foldRecords(ctx, f, plan)
	if err != nil {
		return nil, err
	}
	run, err := newRun(f, plan, records)
	if err != nil {
		return nil, err
	}
	summary, err := writeResults(ctx, f, plan, run)
	if err != nil {
		return nil, err
	}
	return &Outcome{Folder: f.path, Config: plan.Config, Summary: summary, Timings: run.Timings}, failures(plan, summary)
}

// failures returns a FailedScenesError if scenes failed.
func failures(plan *Plan, summary *store.Summary) error {
	if len(summary.FailedScenes) == 0 {
		return nil
	}
	return &FailedScenesError{Requested: len(plan.Scenes), Failed: summary.FailedScenes}
}

// foldRecords streams the units, in the order of the plan, into the record
// files and the accumulators.
func foldRecords(ctx context.Context, f folder, plan *Plan) (*folded, error) {
	out := newFolded()
	queries, err := store.NewQueryWriter(f.queries())
	if err != nil {
		return nil, place(err)
	}
	defer queries.Abort()
	pairs, err := store.NewPairWriter(f.pairs())
	if err != nil {
		return nil, place(err)
	}
	defer pairs.Abort()
	for _, d := range plan.Config.Descriptors {
		judge, err := newJudge(d.Name, plan.Config.Evaluation)
		if err != nil {
			return nil, err
		}
		for _, scene := range plan.Scenes {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			unit, err := store.ReadEval(f.eval(d.Name, scene))
			if errors.Is(err, fs.ErrNotExist) {
				var record failureRecord
				if err := readJSON(f.failure(d.Name, scene), &record); err != nil {
					return nil, err
				}
				judge.fail(scene, record.Reason)
				continue
			} else if err != nil {
				return nil, dataErrorf("%w; run the same run again", err)
			}
			if err := judge.add(unit); err != nil {
				return nil, fmt.Errorf("%s: %w", f.eval(d.Name, scene), err)
			}
			out.note(d, plan.Config.SetOf(d), unit.Pairs)
			if err := queries.Add(unit.Queries); err != nil {
				return nil, place(err)
			}
			if err := pairs.Add(unit.Pairs); err != nil {
				return nil, place(err)
			}
		}
		result, err := judge.result(ctx, f, plan)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", d.Name, err)
		}
		out.results = append(out.results, result)
	}
	if err := queries.Close(); err != nil {
		return nil, place(err)
	}
	return out, place(pairs.Close())
}

// ReadOutcome returns what a folded run found.
func ReadOutcome(path string) (*Outcome, error) {
	f := folder{path}
	plan, err := f.plan()
	if err != nil {
		return nil, err
	}
	if missing(f.summary()) {
		return nil, dataErrorf("%s: has no results yet; see descbench status %s", path, path)
	}
	summary, err := store.ReadSummary(f.summary())
	if err != nil {
		return nil, &DataError{err}
	}
	timings, err := f.timings(plan)
	if err != nil {
		return nil, err
	}
	return &Outcome{Folder: path, Config: plan.Config, Summary: &summary, Timings: timings}, nil
}
