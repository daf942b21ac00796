package plan

import (
	"fmt"
	"path/filepath"
	"slices"

	"descbench/eval/spelling"
	"descbench/pipeline/config"
)

// Complete returns an error unless every unit that a fold reads exists, or is
// recorded as failed. The error names what is missing and how to compute it.
func (f Folder) Complete(plan *Plan) error {
	if err := f.Evaluated(plan); err != nil || len(TasksOf(plan.Config.Evaluation)) == 0 {
		return err
	}
	for _, d := range plan.Config.Descriptors {
		if len(plan.TasksOf(d.Name)) == 0 {
			continue
		}
		pooled, open := f.Pooled(plan, d.Name)
		if len(open) > 0 {
			return f.incomplete(plan, fmt.Sprintf("descriptor %s: tasks with distractors: %s", d.Name, Lack(plan, "ready", open)))
		}
		for _, scene := range pooled {
			if slices.ContainsFunc(plan.TasksOf(d.Name), func(t Task) bool { return Missing(f.Task(t, d.Name, pooled, scene)) }) {
				open = append(open, scene)
			}
		}
		if len(open) > 0 {
			return f.incomplete(plan, fmt.Sprintf("descriptor %s: tasks: %s", d.Name, Lack(plan, "computed", open)))
		}
	}
	return nil
}

// Evaluated returns an error unless every eval unit exists or is recorded as
// failed.
func (f Folder) Evaluated(plan *Plan) error {
	open := plan.Where(func(scene string) bool {
		return slices.ContainsFunc(plan.Config.Descriptors, func(d config.Descriptor) bool {
			return Missing(f.Eval(d.Name, scene)) && !f.hasFailed(d.Name, scene)
		})
	})
	if len(open) == 0 {
		return nil
	}
	for depth := 1; len(plan.Totals(depth)) > 0; depth++ {
		for _, set := range plan.Totals(depth) {
			open := plan.Where(func(scene string) bool { return f.LacksBefore(plan, set, scene) })
			if len(open) > 0 {
				return f.incomplete(plan, fmt.Sprintf("keypoint set %s: %s", set.Name, Lack(plan, "ready", open)))
			}
		}
	}
	return f.incomplete(plan, Lack(plan, "evaluated", open))
}

// LacksBefore reports whether a scene has not failed but lacks the keypoints from
// which a set's selection over all scenes chooses.
func (f Folder) LacksBefore(plan *Plan, set *config.KeypointSet, scene string) bool {
	return slices.ContainsFunc(set.Sides(), func(side string) bool { return Missing(f.Before(side, scene)) }) && !f.AllFailed(plan, scene)
}

// incomplete adds to a text about missing units how to compute them.
func (f Folder) incomplete(plan *Plan, text string) error {
	how := "the command that began it"
	if here, err := filepath.Abs(string(f)); err == nil && here == string(plan.Folder()) {
		how = "descbench run " + spelling.Shell(f.Config())
	}
	err := Faultf("%s: run incomplete: %s", string(f), text)
	cure := how + " computes the rest and the results; of shards: run them again (a finished shard ends at once), then fold"
	if Missing(f.Summary()) {
		return Faultf("%w; %s", err, cure)
	}
	return Again(err, cure) // it was complete once, and may be from somebody else
}

// Lack returns "3 of 5 scenes evaluated (missing v_a, v_b)" for the scenes of a
// plan that lack something; done is for example "evaluated". It shortens long lists.
func Lack(plan *Plan, done string, open []string) string {
	return fmt.Sprintf("%d of %d scenes %s (missing %s)", len(plan.Scenes)-len(open), len(plan.Scenes), done, spelling.Few(open, 11))
}
