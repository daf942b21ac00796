package compare

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"descbench/eval/catalogue"
	"descbench/pipeline/config"
	"descbench/pipeline/fold"
	"descbench/pipeline/plan"
)

// Open opens and reads runs to be shown together by mAP. It returns an error if they are
// not Together or of presets of different papers.
func Open(paths []string, advice string) (*fold.Runs, error) {
	runs, err := fold.Open(paths)
	if err != nil {
		return nil, err
	}
	if err := Together(runs.Runs, catalogue.MAP, advice); err != nil {
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
// for a metric, or the data of a scene from those of an earlier run. Their values do
// not belong into one ranking, chart or list. advice says what to do instead.
func Together(runs []*fold.Run, metric, advice string) error {
	var earlier []plan.Environment
	for _, run := range runs {
		refuse := func(format string, args ...any) error {
			return &config.Error{File: run.Folder, Msg: fmt.Sprintf(format, args...) + "; " + advice}
		}
		if differs := ProtocolDifferences(runs[0].Config, run.Config, metric); len(differs) > 0 {
			return refuse("protocol differs from that of %s (%s)", runs[0].Folder, strings.Join(differs, ", "))
		}
		environment, err := run.Environment()
		if err != nil {
			return err
		}
		for j := range earlier {
			for _, scene := range slices.Sorted(maps.Keys(environment.Scenes)) {
				if digest, both := earlier[j].Scenes[scene]; both && digest != environment.Scenes[scene] {
					return refuse("scene %s has other images or homographies than in %s", scene, runs[j].Folder)
				}
			}
		}
		earlier = append(earlier, environment)
	}
	return nil
}
