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
func (u *Units) Complete() error {
	if err := u.Evaluated(); err != nil {
		return err
	}
	for _, d := range u.Plan.Config.Descriptors {
		pooled, open := u.Pooled(d.Name)
		if len(open) > 0 {
			return u.incomplete(open, fmt.Sprintf("descriptor %s: tasks with distractors: %s", d.Name, Lack(u.Plan, "ready", open)))
		}
		for _, scene := range pooled {
			if slices.ContainsFunc(u.Plan.TasksOf(d.Name), func(t Task) bool { return !u.Has(u.Task(t, d.Name, pooled), scene) }) {
				open = append(open, scene)
			}
		}
		if len(open) > 0 {
			return u.incomplete(open, fmt.Sprintf("descriptor %s: tasks: %s", d.Name, Lack(u.Plan, "computed", open)))
		}
	}
	return nil
}

// Evaluated returns an error unless every eval unit exists or is recorded as
// failed.
func (u *Units) Evaluated() error {
	var open []string
	for _, scene := range u.Plan.Scenes {
		lacks := func(d config.Descriptor) bool { return !u.Has(u.Eval(d.Name), scene) }
		path, _ := u.latest(u.recordOf(scene), scene)
		newest := path == "" || slices.Index(u.containers(scene), path) == len(u.containers(scene))-1
		if newest && !slices.ContainsFunc(u.Plan.Config.Descriptors, lacks) {
			continue
		}
		if _, err := u.Damage(scene); err != nil { // there may be what seems to be missing or to have failed, or a newer record
			return err
		}
		if slices.ContainsFunc(u.Plan.Config.Descriptors, func(d config.Descriptor) bool {
			_, failed := u.Failed(d.Name, scene)
			return lacks(d) && !failed
		}) {
			open = append(open, scene)
		}
	}
	if len(open) == 0 {
		return nil
	}
	for depth := 1; len(u.Plan.Totals(depth)) > 0; depth++ {
		for _, set := range u.Plan.Totals(depth) {
			open := u.Plan.Where(func(scene string) bool { return u.LacksBefore(set, scene) })
			if len(open) > 0 {
				return u.incomplete(open, fmt.Sprintf("keypoint set %s: %s", set.Name, Lack(u.Plan, "ready", open)))
			}
		}
	}
	return u.incomplete(open, Lack(u.Plan, "evaluated", open))
}

// LacksBefore reports whether a scene has not failed but lacks the keypoints from
// which a set's selection over all scenes chooses.
func (u *Units) LacksBefore(set *config.KeypointSet, scene string) bool {
	return slices.ContainsFunc(set.Sides(), func(side string) bool { return !u.Has(u.Before(side), scene) }) && !u.AllFailed(scene)
}

// incomplete adds to a text about units that scenes lack how to compute them. Those that are there, but
// damaged, are the reason instead.
func (u *Units) incomplete(open []string, text string) error {
	for _, scene := range open {
		if _, err := u.Damage(scene); err != nil {
			return err
		}
	}
	how := "the command that began it"
	if here, err := filepath.Abs(string(u.Folder)); err == nil && here == string(u.Plan.Folder()) {
		how = "descbench run " + spelling.Shell(u.Config())
	}
	err := Faultf("%s: run incomplete: %s", string(u.Folder), text)
	cure := how + " computes the rest and the results; of shards: run them again (a finished shard ends at once), then fold"
	if Missing(u.Summary()) {
		return Faultf("%w; %s", err, cure)
	}
	return Again(err, cure) // it was complete once, and may be from somebody else
}

// Lack returns "3 of 5 scenes evaluated (missing v_a, v_b)" for the scenes of a
// plan that lack something; done is for example "evaluated". It shortens long lists.
func Lack(plan *Plan, done string, open []string) string {
	return fmt.Sprintf("%d of %d scenes %s (missing %s)", len(plan.Scenes)-len(open), len(plan.Scenes), done, spelling.Few(open, 11))
}
