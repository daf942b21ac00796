package fold

import (
	"context"
	"slices"
	"strings"
	"time"

	"descbench/eval/ranking"
	"descbench/eval/spelling"
	"descbench/pipeline/config"
	"descbench/pipeline/dataset"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

// Fold computes the results of a run from its units. It returns an error if units
// are missing. If the missing units belong to scenes recorded as failed, Fold
// returns both a Run and a FailedScenesError. It enters the run into no database: the
// folder, which may be from somebody else, has no say in that.
func Fold(ctx context.Context, f plan.Folder) (*Run, error) {
	p, err := f.Plan()
	if err != nil {
		return nil, err
	}
	units, err := f.Units(p)
	if err != nil {
		return nil, err
	}
	if err := units.Complete(); err != nil {
		return nil, err
	}
	return foldFrom(ctx, f, p, newUnitSource(units), units.Timings())
}

// foldFrom folds the records of a source in a folder.
func foldFrom(ctx context.Context, f plan.Folder, p *plan.Plan, from source, timings []store.Timing) (*Run, error) {
	before, start := f.Digests(), time.Now()
	if err := store.RemoveTemporary(string(f)); err != nil {
		return nil, plan.Fault(err)
	}
	all := newFolding(f, p, from, timings)
	if r, err := f.Reevaluation(); err != nil {
		return nil, err
	} else if r != nil {
		all.leftOut = r.LeftOut
	}
	w, err := newWriter(ctx, f, p.Config.Experiment.Name, timings)
	if err != nil {
		return nil, err
	}
	defer w.abort()
	err = all.fold(ctx, outputs{queries: w.queries.Add, pairs: w.pairs.Add, result: func(ctx context.Context, d store.Descriptor, r ranking.Result) error {
		// All metrics of all descriptors would take too much memory.
		all.add(d, store.Brief(r))
		return w.add(ctx, d, r)
	}})
	if err != nil {
		return nil, err
	}
	if err := dataset.NoCopies(all.digests); err != nil {
		return nil, plan.Fault(err)
	}
	run, err := all.run()
	if err != nil {
		return nil, err
	}
	run.Timings = append(run.Timings, store.Timing{Stage: store.FoldStage, Seconds: time.Since(start).Seconds()})
	summary, err := w.close(ctx, run)
	if err != nil {
		return nil, err
	}
	err = failures(p, summary)
	if summary.WithoutQueries() > 0 {
		return nil, err
	}
	if kept := f.ForgetReplaced(); kept != nil {
		return nil, kept
	}
	r := newOpen(f, p, summary)
	r.Timings, r.Replaced = run.Timings, replaced(f, before)
	return r, err
}

// replaced returns the names of the results with other checksums than their digests before.
func replaced(f plan.Folder, before map[string]string) (names []string) {
	sums, _ := store.ReadSums(string(f)) // just written
	for name, digest := range before {
		if digest != sums[name] {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// WithoutKeypoints returns an error with what to do if no scene of a run has queries, and nil otherwise.
func WithoutKeypoints(cfg *config.Config, summary *store.Summary) error {
	n := summary.WithoutQueries()
	if n == 0 {
		return nil
	}
	var sets []string
	cure := "check the files and the limits of border, size and response"
	for _, s := range cfg.KeypointSets {
		sets = append(sets, s.Name+" ("+s.String()+")")
		if s.Detect != nil {
			cure = "check the detector's threshold, border, size and response limits, and whether the images have texture"
		}
	}
	return plan.Faultf("no keypoints in any of %s (image 1); %s; keypoint sets: %s", spelling.Count(n, "scene"), cure, strings.Join(sets, "; "))
}

// failures returns a FailedScenesError if scenes failed, and another error if no
// other scene has queries.
func failures(p *plan.Plan, summary *store.Summary) error {
	if err := WithoutKeypoints(p.Config, summary); err != nil {
		return err
	}
	if len(summary.FailedScenes) == 0 {
		return nil
	}
	failed := &plan.FailedScenesError{Requested: len(p.Scenes), Failed: make(map[string]string), Partly: summary.HasResults()}
	for scene, reasons := range summary.FailedScenes {
		failed.Failed[scene] = reasons[0].Reason
	}
	for _, d := range summary.Descriptors {
		if len(d.Scenes) == 0 {
			failed.Without = append(failed.Without, d.Name)
		}
	}
	return failed
}
