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
// not Together or of presets of different papers.
func Open(paths []string, set []string, advice string) (*fold.Runs, error) {
	runs, err := fold.Open(paths, set)
	if err != nil {
		return nil, err
	}
	if err := Together(runs.Runs, advice); err != nil {
		return nil, err
	}
	for _, r := range runs.Runs { // the titles are those of one preset
		if a, b := runs.Runs[0].Config.Preset(), r.Config.Preset(); a != nil && b != nil && a.Name != b.Name {
			return nil, &config.Error{File: r.Folder, Msg: fmt.Sprintf("preset %s differs from %s of %s; %s", b.Name, a.Name, runs.Runs[0].Folder, advice)}
		}
	}
	for _, r := range runs.Runs {
		r.ReadTimings()
	}
	return runs, runs.Read(catalogue.MicroMAP)
}

// Together returns an error if the protocol of a run differs from that of the first
// for mAP, or the data of a scene from those of an earlier run. Their values do
// not belong into one ranking, chart or list. advice says what to do instead.
func Together(runs []*fold.Run, advice string) error {
	for i, run := range runs {
		refuse := func(format string, args ...any) error {
			return &config.Error{File: run.Folder, Msg: fmt.Sprintf(format, args...) + "; " + advice}
		}
		if differs := protocolDifferences(runs[0].Config, run.Config, catalogue.Of(catalogue.MAP)); len(differs) > 0 {
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

// Warn adds a fact to each run that is shown next to one with other data of the same scenes, or
// with the same results.
func Warn(runs []*fold.Run) error {
	for i, run := range runs {
		for _, earlier := range runs[:i] {
			scenes, err := otherImages(run, earlier)
			if err != nil {
				return err
			}
			var equal []string
			for _, s := range run.Systems {
				if slices.ContainsFunc(earlier.Systems, func(e *fold.System) bool { return Copies(s, e) }) {
					equal = append(equal, s.Own)
				}
			}
			if len(scenes) > 0 {
				run.Summary.Warnings = append(run.Summary.Warnings, fact.New(fact.OtherImages, scenes...).Naming("run", earlier.Label))
			} else if len(equal) > 0 {
				run.Summary.Warnings = append(run.Summary.Warnings, fact.New(fact.SameResults).Naming("descriptors", equal...).Naming("run", earlier.Label))
			}
		}
	}
	return nil
}
