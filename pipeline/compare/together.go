package compare

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"descbench/eval/catalogue"
	"descbench/eval/fact"
	"descbench/eval/spelling"
	"descbench/pipeline/config"
	"descbench/pipeline/fold"
)

// Open opens and reads runs to be shown together by mAP, with the labels of --set. It returns an error if they are
// not Together, but for their rule of relevance, or of presets of different papers. Keypoint sets of runs
// with different rules are named after these, too. A run without results in any scene is an error.
func Open(paths []string, set []string, advice string) (*fold.Runs, error) {
	runs, err := fold.Open(paths, set)
	if err != nil {
		return nil, err
	}
	if err := Together(runs.Runs, advice, "relevance"); err != nil {
		return nil, err
	}
	if Rules(runs) != nil {
		for _, s := range runs.Systems {
			s.Set += fmt.Sprintf(" (relevance %s)", s.Run.Config.Evaluation.Relevance)
		}
	}
	for _, r := range runs.Runs { // the titles are those of one preset
		if a, b := runs.Runs[0].Config.Preset(), r.Config.Preset(); a != nil && b != nil && a.Name != b.Name {
			return nil, &config.Error{File: r.Folder, Msg: fmt.Sprintf("preset %s differs from %s of %s; %s", b.Name, a.Name, runs.Runs[0].Folder, advice)}
		}
	}
	for _, r := range runs.Runs {
		if err := r.Failure(); err != nil {
			return nil, fmt.Errorf("%s: %w", r.Folder, err)
		}
		r.ReadTimings()
	}
	return runs, runs.Read(catalogue.MicroMAP)
}

// Together returns an error if the protocol of a run differs from that of the first
// for mAP, or the data of a scene from those of an earlier run. Their values do
// not belong into one ranking, chart or list. advice says what to do instead. Settings that may differ are passed.
func Together(runs []*fold.Run, advice string, passed ...string) error {
	for i, run := range runs {
		refuse := func(format string, args ...any) error {
			return &config.Error{File: run.Folder, Msg: fmt.Sprintf(format, args...) + "; " + advice}
		}
		if differs := evaluationChanges(runs[0].Config, run.Config, append(unjudged(catalogue.Of(catalogue.MAP)), passed...)); len(differs) > 0 {
			return refuse("protocol differs from that of %s (%s)", runs[0].Folder, strings.Join(spelling.Words(differs, config.Change.String), ", "))
		}
		for _, earlier := range runs[:i] {
			if scenes, err := otherImages(run, earlier); len(scenes) > 0 || err != nil {
				return cmp.Or(err, refuse("other images or homographies of %s than in %s", spelling.Few(scenes, 6), earlier.Label))
			}
		}
	}
	return nil
}

// Rules returns a fact if runs differ in their rule of relevance, by which the same ranks have other values.
func Rules(runs *fold.Runs) []fact.Fact {
	var of spelling.Groups // runs
	for _, r := range runs.Runs {
		of.Add(string(r.Config.Evaluation.Relevance), r.Label)
	}
	differ := fact.New(fact.OtherRelevance).Naming("rules", of.Texts...)
	for _, rule := range of.Texts {
		differ = differ.Naming(rule, of.Of[rule]...)
	}
	if len(of.Texts) < 2 {
		return nil
	}
	return []fact.Fact{differ}
}

// otherImages returns the scenes of which a run has other data than an earlier one, sorted.
func otherImages(run, earlier *fold.Run) ([]string, error) {
	was, unread := earlier.RunFolder().ReadEnvironment()
	is, err := run.RunFolder().ReadEnvironment()
	maps.DeleteFunc(is.Scenes, func(scene, digest string) bool {
		former, both := was.Scenes[scene]
		return !both || former == digest
	})
	return slices.Sorted(maps.Keys(is.Scenes)), cmp.Or(unread, err)
}

// Warn adds a fact to each run that is shown next to one with other data of the same scenes.
func Warn(runs []*fold.Run) error {
	for i, run := range runs {
		for _, earlier := range runs[:i] {
			scenes, err := otherImages(run, earlier)
			if err != nil {
				return err
			}
			if len(scenes) > 0 {
				run.Summary.Warnings = append(run.Summary.Warnings, fact.New(fact.OtherImages, scenes...).Naming("run", earlier.Label))
			}
		}
	}
	return nil
}
