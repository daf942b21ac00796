package fold

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"descbench/eval/distractors"
	"descbench/eval/fact"
	"descbench/eval/matching"
	"descbench/eval/ranking"
	"descbench/eval/scope"
	"descbench/eval/spelling"
	"descbench/pipeline/config"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

// Reevaluate evaluates each run again from its records under each of several lists of changes to
// the evaluation section, such as "ties=strict", and never modifies it. It returns open runs that
// are Unstored, with these labels, or without any with those of the runs. It returns an error if the
// records do not contain what a change requires; if scenes of a run failed, it returns the runs with
// a FailedScenesError.
func (all *Runs) Reevaluate(ctx context.Context, sets [][]string, labels []string) (*Runs, error) {
	out := &Runs{}
	var failed error
	for _, r := range all.Runs {
		for i, set := range sets {
			again, err := reevaluated(ctx, r.RunFolder(), set)
			if err != nil {
				return nil, err
			}
			again.Config.TakeLabels(r.Config)
			again.nameSystems()
			label := r.Label
			if labels != nil {
				label = labels[i]
			}
			out.add(again, label)
			failed = cmp.Or(failed, failures(again.plan, again.Summary))
		}
	}
	out.Show(out.Systems)
	if err := out.warnOfEnvironments(); err != nil {
		return nil, err
	}
	return out, failed
}

// reevaluated folds the records of a run again with changes to the evaluation section, in memory.
func reevaluated(ctx context.Context, f plan.Folder, set []string) (*Run, error) {
	p, leftOut, err := Changed(f, set)
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
	all := newFolding(f, p, newUnitSource(units), units.Timings())
	all.leftOut = leftOut
	err = all.fold(ctx, outputs{result: func(_ context.Context, d store.Descriptor, r ranking.Result) error {
		all.add(d, r)
		return nil
	}})
	if err != nil {
		return nil, err
	}
	folded, err := all.run()
	if err != nil {
		return nil, err
	}
	summary := store.NewSummary(folded)
	r := newOpen(f, p, &summary)
	r.Timings, r.Unstored, r.computed = folded.Timings, true, make(map[string][]scope.Metric)
	for _, result := range all.results {
		r.computed[result.Descriptor] = result.Metrics
	}
	return r, nil
}

// Swept returns the changes KEY=VALUE that KEY=VALUE,VALUE,... stands for. It checks each of them
// with the others that are given, and that no two are equal.
func Swept(run, text string, set []string) (changes []string, err error) {
	refuse := func(key, format string, args ...any) error {
		return &config.Error{File: "--sweep " + text, Key: strings.TrimPrefix(key, "evaluation."), Msg: fmt.Sprintf(format, args...)}
	}
	const example = "such as tolerance_px=1,2,3"
	key, list, _ := strings.Cut(text, "=")
	key, values := strings.TrimPrefix(strings.TrimSpace(key), "evaluation."), strings.Split(list, ",")
	switch {
	case key == "" || list == "":
		return nil, refuse("", "want KEY=VALUE,VALUE,..., %s", example)
	case len(values) == 1:
		return nil, refuse("", "found one value (%s), want several, separated by commas, %s; --set takes one", list, example)
	}
	var plans []*plan.Plan
	for _, value := range values {
		changes = append(changes, key+"="+strings.TrimSpace(value))
		p, _, err := Changed(plan.Folder(run), append(slices.Clone(set), "evaluation."+changes[len(plans)]))
		if fault, is := errors.AsType[*config.Error](err); is {
			return nil, refuse(fault.Key, "%s", fault.Msg)
		}
		if err != nil {
			return nil, err
		}
		if i := slices.IndexFunc(plans, func(e *plan.Plan) bool { return len(config.Changes(e.Config, p.Config)) == 0 }); i >= 0 {
			return nil, refuse("", "found equal values (%s and %s), want different ones", values[i], value)
		}
		plans = append(plans, p)
	}
	return changes, nil
}

// ReevaluateTo evaluates the units of a run again, under changes to the evaluation section, in a folder that then is like
// that of a run. With overwrite, it replaces a former re-evaluation of the run there. It returns an error if the units do
// not contain what a change requires.
func ReevaluateTo(ctx context.Context, out, run string, set []string, overwrite bool) (*Run, error) {
	f, to := plan.Folder(run), plan.Folder(out)
	if SameFolder(out, run) {
		return nil, plan.Faultf("--out %s is the run folder itself, which eval does not modify; choose another folder", out)
	}
	p, leftOut, err := Changed(f, set)
	if err != nil {
		return nil, err
	}
	if err := f.Complete(p); err != nil {
		return nil, err
	}
	p.Config.Output.Database = "" // of runs
	before := to.Digests()
	if err := f.Reevaluate(to, p, leftOut, overwrite); err != nil {
		return nil, err
	}
	again, err := Fold(ctx, to)
	if again != nil && !overwrite {
		again.Replaced = replaced(to, before)
	}
	return again, err
}

// Changed returns the plan of a run with changes to the evaluation section,
// and what is left out because the records do not answer it.
func Changed(f plan.Folder, set []string) (p *plan.Plan, leftOut []fact.Fact, err error) {
	set = inEvaluation(set)
	begun, err := f.Plan()
	if err != nil {
		return nil, nil, err
	}
	if former, err := f.Reevaluation(); err != nil {
		return nil, nil, err
	} else if former != nil {
		leftOut = former.LeftOut
	}
	cfg, err := evaluationChanged(f, set)
	if err != nil {
		return nil, nil, err
	}
	cfg.Dataset = begun.Config.Dataset // which a preset may set for a new run
	now := &cfg.Evaluation
	if was := begun.Config.Evaluation.TolerancePx; now.WorkbenchTasks != nil && now.TolerancePx != was && !requests(set, "workbench_tasks") {
		leftOut = append(slices.Clip(leftOut), fact.New(fact.TasksLeftOut).With("px", was))
		now.WorkbenchTasks = nil
	}
	if err := unanswered(begun.Config.Evaluation, *now); err != nil {
		return nil, nil, err
	}
	if homographies, poses := matching.ByKind(begun.Config.Evaluation.Estimators); len(homographies)+len(poses) > 0 {
		if err := cfg.FitEstimators(poses != nil); err != nil {
			return nil, nil, err
		}
	}
	p, err = plan.New(cfg, begun.Scenes)
	return p, leftOut, err
}

// requests reports whether changes give values to an optional section.
func requests(set []string, section string) bool {
	return slices.ContainsFunc(set, func(s string) bool {
		key, _, _ := strings.Cut(s, "=")
		return key == "evaluation."+section || strings.HasPrefix(key, "evaluation."+section+".")
	})
}

// evaluationChanged loads the run's config with changes to the evaluation section.
func evaluationChanged(f plan.Folder, set []string) (*config.Config, error) {
	for _, s := range set {
		if at := strings.Index(s, "="); at <= 0 {
			return nil, &config.Error{File: "--set " + s, Msg: "want KEY=VALUE, such as tolerance_px=1"}
		}
		if labels, _ := config.Labels([]string{s}); labels == nil && !strings.HasPrefix(s, "evaluation.") {
			return nil, &config.Error{File: "--set " + s, Msg: "only evaluation.* can change, since this works from the records of the run; for anything else, run it again (features come from the cache): descbench run " +
				spelling.Shell(f.Config()) + " --set " + spelling.Shell(s) + " --set experiment.name=NAME"}
		}
	}
	return config.Load(f.Config(), config.Overrides{Set: set})
}

// inEvaluation returns changes with the prefix evaluation. before the keys that
// leave it out: tolerance_px=1 is evaluation.tolerance_px=1. A key of another section
// stays as it is.
func inEvaluation(set []string) []string {
	var full []string
	for _, s := range set {
		key, _, given := strings.Cut(s, "=")
		if section := strings.FieldsFunc(key, func(r rune) bool { return r == '.' || r == '[' }); given && len(section) > 0 && !slices.Contains(config.Sections(), section[0]) {
			s = "evaluation." + s
		}
		full = append(full, s)
	}
	return full
}

// unanswered returns an error if a key of the new evaluation section requires more than the run's records
// contain.
func unanswered(begun, now config.Evaluation) error {
	for _, x := range []struct {
		key, missing string
		same         bool
	}{
		{"relevance", "ranks under the rule " + string(now.Relevance), begun.Relevance == now.Relevance},
		{"shared_top_k", "nearest neighbours among such keypoints", begun.SharedTopK == now.SharedTopK},
		{"shared_region", "nearest neighbours among the keypoints of this region", begun.KeynetRegion == now.KeynetRegion},
		{"estimators", "estimates by these own functions from such matches", sameOwn(begun, now)},
		{"fixed_gallery", "ranks for such galleries", now.FixedGallery == nil || equalTo(begun.FixedGallery, now.FixedGallery)},
		{"bojanic_2019", "distances for the keypoints it draws", now.Bojanic2019 == nil || equalTo(begun.Bojanic2019, now.Bojanic2019)},
		{"workbench_tasks", "counts for such distractors", now.WorkbenchTasks == nil || begun.WorkbenchTasks != nil && sameDraws(*begun.WorkbenchTasks, *now.WorkbenchTasks) && begun.TolerancePx == now.TolerancePx},
	} {
		if !x.same {
			return &config.Error{File: "--set", Key: "evaluation." + x.key, Msg: "the run's records have no " + x.missing + ", which requires the features: rerun the experiment under a new name"}
		}
	}
	return nil
}

// sameOwn reports whether the records have the estimates of all own estimators.
func sameOwn(begun, now config.Evaluation) bool {
	same := (begun.Matcher == nil && now.Matcher == nil || equalTo(begun.Matcher, now.Matcher)) && begun.Draws == now.Draws
	for _, is := range now.OwnEstimators {
		same = same && slices.ContainsFunc(begun.OwnEstimators, func(was config.OwnEstimator) bool { return was.Name == is.Name && was.Command.Same(&is.Command) })
	}
	return !slices.ContainsFunc(now.Estimators, func(name string) bool {
		e, _ := matching.ParseEstimator(name)
		return e.IsOwn() && !(same && slices.Contains(begun.Estimators, name))
	})
}

// sameDraws reports whether two sections draw the same distractors, so that the
// records serve both.
func sameDraws(a, b distractors.Workbench) bool {
	a.HardNegatives = b.HardNegatives
	return a == b
}

// equalTo reports whether two optional sections are present and equal.
func equalTo[T comparable](a, b *T) bool { return a != nil && b != nil && *a == *b }

// SameFolder reports whether two paths refer to the same folder.
func SameFolder(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}

// notFolded adds to an error about missing, damaged or old records what the user can
// do about it.
func notFolded(f plan.Folder, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist) && !plan.Missing(f.Summary()):
		return plan.Faultf("%w; recreate it with descbench fold %s", err, spelling.Shell(string(f)))
	case errors.Is(err, fs.ErrNotExist):
		return plan.Faultf("%s: no records yet (%w); see descbench status %s", string(f), err, spelling.Shell(string(f)))
	case errors.Is(err, store.ErrDamaged):
		return plan.Again(err, "descbench fold "+spelling.Shell(string(f))+" recreates it")
	case errors.Is(err, store.ErrForeign): // the units are as old
		return plan.Recreate(err)
	}
	return plan.Fault(err)
}
