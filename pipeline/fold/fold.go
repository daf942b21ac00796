package fold

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"descbench/eval"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

// abandoned is the age of files that killed processes left unfinished. Others may
// be writing younger ones: fold writes to each of its files once per descriptor.
const abandoned = time.Hour

// Fold computes the results of a run from its units. It returns an error if units
// are missing. If the missing units belong to scenes recorded as failed, Fold
// returns both an Outcome and a FailedScenesError.
func Fold(ctx context.Context, f plan.Folder) (*Outcome, error) {
	p, err := f.Plan()
	if err != nil {
		return nil, err
	}
	if err := f.Complete(p); err != nil {
		return nil, err
	}
	if _, err := store.RemoveTemporary(string(f), abandoned); err != nil {
		return nil, plan.Fault(err)
	}
	start := time.Now()
	records, err := newFolded(f, p)
	if err != nil {
		return nil, err
	}
	if r, err := f.Reevaluation(); err != nil {
		return nil, err
	} else if r != nil {
		records.leftOut = r.LeftOut
	}
	w, err := newWriter(ctx, f, records.timings)
	if err != nil {
		return nil, err
	}
	defer w.abort()
	files, err := foldRecords(ctx, f, p, records, w)
	if err != nil {
		return nil, err
	}
	run, err := newRun(f, p, records)
	if err != nil {
		return nil, err
	}
	run.Timings = append(run.Timings, store.Timing{Stage: store.FoldStage, Seconds: time.Since(start).Seconds()})
	summary, err := w.close(ctx, run, files)
	if err != nil {
		return nil, err
	}
	if shared := p.Config.Output.Database; shared != "" {
		if err := store.CopyShared(ctx, shared, f.Database()); err != nil {
			return nil, plan.Fault(err)
		}
	}
	return &Outcome{Folder: string(f), Config: p.Config, Summary: summary, Timings: run.Timings}, failures(p, summary)
}

// failures returns a FailedScenesError if scenes failed, and another error if no
// other scene has queries.
func failures(p *plan.Plan, summary *store.Summary) error {
	if n := withoutQueries(summary); n > 0 {
		var sets []string
		for _, s := range p.Config.KeypointSets {
			sets = append(sets, s.Name+" ("+s.String()+")")
		}
		return plan.Faultf("no keypoints in any of %d scenes (image 1); check the detector's threshold, border, size and response limits, and whether the images have texture; keypoint sets: %s", n, strings.Join(sets, "; "))
	}
	if len(summary.FailedScenes) == 0 {
		return nil
	}
	return &plan.FailedScenesError{Requested: len(p.Scenes), Failed: summary.FailedScenes}
}

// withoutQueries returns the number of evaluated scenes if none of them has queries or
// imported matches for any descriptor, else 0.
func withoutQueries(summary *store.Summary) int {
	n := 0
	for _, d := range summary.Descriptors {
		for _, s := range d.Scenes {
			if s.QueriesProcessed+s.QueriesExcluded+s.Matches > 0 {
				return 0
			}
		}
		n = max(n, len(d.Scenes))
	}
	return n
}

// foldRecords streams the units into the record files and the accumulators, in
// the order of the plan, and writes the result of every descriptor. It reads the next
// units, writes records, computes the result of the previous descriptor and writes
// that of the one before at the same time. It returns the checksums of the record files.
func foldRecords(ctx context.Context, f plan.Folder, p *plan.Plan, out *Folded, w *writer) ([]store.Summed, error) {
	// Most memory is that of rows and metrics that have just been written. With the
	// default of 100 it would be as much as the rest; collecting it earlier costs no
	// measurable time here.
	const percent = 50
	if before := debug.SetGCPercent(percent); before >= 0 && before < percent {
		debug.SetGCPercent(before)
	} else {
		defer debug.SetGCPercent(before)
	}
	queries, err := store.NewQueryWriter(f.Queries(), p.Config.Experiment.Name)
	if err != nil {
		return nil, plan.Fault(err)
	}
	defer queries.Abort()
	pairs, err := store.NewPairWriter(f.Pairs(), p.Config.Experiment.Name)
	if err != nil {
		return nil, plan.Fault(err)
	}
	defer pairs.Abort()
	units, err := f.Units()
	if err != nil {
		return nil, err
	}
	work, ctx := errgroup.WithContext(ctx)
	next := make(chan unitOf, 1)
	work.Go(func() error {
		defer close(next)
		return readUnits(ctx, f, p, units, next)
	})
	written := make(chan []eval.Query, 1)
	complete := make(chan judged) // the records of a descriptor
	work.Go(func() error {
		for rows := range written {
			if err := queries.Add(rows); err != nil {
				return plan.Fault(err)
			}
		}
		return nil
	})
	results := make(chan computed)
	work.Go(func() error {
		defer close(results)
		for d := range complete {
			result, err := d.judge.result(ctx, f, p, units)
			if err != nil {
				return fmt.Errorf("%s: %w", d.descriptor.Name, err)
			}
			if err := send(ctx, results, computed{d.descriptor, result}); err != nil {
				return err
			}
		}
		return nil
	})
	work.Go(func() error {
		for r := range results {
			// All metrics of all descriptors would take too much memory.
			out.add(r.descriptor, store.Brief(r.result))
			if err := w.add(ctx, r.descriptor, r.result); err != nil {
				return err
			}
		}
		return nil
	})
	work.Go(func() error {
		defer close(written)
		defer close(complete)
		for _, d := range p.Config.Descriptors {
			judge, err := newJudge(p.Config, d)
			if err != nil {
				return err
			}
			for range p.Scenes {
				u, ok := <-next
				if !ok {
					return ctx.Err()
				}
				if u.failed {
					if err := judge.failAgain(f, u.scene); err != nil {
						return err
					}
					continue
				}
				if err := judge.add(u.unit); err != nil {
					return fmt.Errorf("%s: %w", f.Eval(d.Name, u.scene), err)
				}
				if err := out.note(d, p.Config.SetOf(d), u.unit.Pairs); err != nil {
					return err
				}
				if err := pairs.Add(u.unit.Pairs); err != nil {
					return plan.Fault(err)
				}
				if err := send(ctx, written, u.unit.Queries); err != nil {
					return err
				}
			}
			// Now, so that only the samples of one descriptor are in memory.
			if err := judge.close(ctx); err != nil {
				return fmt.Errorf("%s: %w", d.Name, err)
			}
			if err := send(ctx, complete, judged{out.describe(d, p.Config.SetOf(d)), judge}); err != nil {
				return err
			}
		}
		return nil
	})
	if err := work.Wait(); err != nil {
		return nil, err
	}
	if err := f.RemoveSums(); err != nil {
		return nil, err
	}
	if err := queries.Close(); err != nil {
		return nil, plan.Fault(err)
	}
	if err := pairs.Close(); err != nil {
		return nil, plan.Fault(err)
	}
	return []store.Summed{queries.Summed(), pairs.Summed()}, nil
}

// Read returns the results of a folded run.
func Read(path string) (*Outcome, error) {
	f := plan.Folder(path)
	p, err := f.Plan()
	if err != nil {
		return nil, err
	}
	if plan.Missing(f.Summary()) {
		return nil, plan.Faultf("%s: no results yet; see descbench status %s", path, path)
	}
	summary, err := store.ReadSummary(f.Summary())
	if err != nil {
		return nil, NotFolded(f, err)
	}
	timings, warnings, err := f.Timings(p)
	if err != nil {
		return nil, err
	}
	for _, w := range warnings {
		if w := (store.SummaryWarning{Kind: w.Kind, Text: w.Text}); !slices.Contains(summary.Warnings, w) {
			summary.Warnings = append(summary.Warnings, w)
		}
	}
	return &Outcome{Folder: path, Config: p.Config, Summary: &summary, Timings: timings}, nil
}
