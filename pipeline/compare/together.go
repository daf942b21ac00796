package compare

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"descbench/eval"
	"descbench/pipeline/config"
	"descbench/pipeline/fold"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

// Together returns an error if the protocol of a run differs from that of the first
// for a metric, or the data of a scene from those of an earlier run. Their values do
// not belong into one ranking, chart or list. advice says what to do instead.
func Together(runs []string, metric, advice string) error {
	var first *config.Config
	var earlier []plan.Environment
	for _, run := range runs {
		refuse := func(format string, args ...any) error {
			return &config.Error{File: run, Msg: fmt.Sprintf(format, args...) + "; " + advice}
		}
		f := plan.Folder(run)
		p, err := f.Plan()
		if err != nil {
			return err
		}
		if first == nil {
			first = p.Config
		}
		if differs := ProtocolDifferences(first, p.Config, metric); len(differs) > 0 {
			return refuse("protocol differs from that of %s (%s)", runs[0], strings.Join(differs, ", "))
		}
		environment, err := f.ReadEnvironment()
		if err != nil {
			return err
		}
		for j := range earlier {
			for _, scene := range slices.Sorted(maps.Keys(environment.Scenes)) {
				if digest, both := earlier[j].Scenes[scene]; both && digest != environment.Scenes[scene] {
					return refuse("scene %s has other images or homographies than in %s", scene, runs[j])
				}
			}
		}
		earlier = append(earlier, environment)
	}
	return nil
}

// Digests returns the digests of the data that each descriptor of a run was evaluated
// on, by descriptor and scene.
func Digests(f plan.Folder) (map[string]map[string]store.Digests, error) {
	found := make(map[string]map[string]store.Digests)
	err := store.ReadPairs(f.Pairs(), func(batch []eval.Pair) error {
		for _, p := range batch {
			of := found[p.Descriptor]
			if of == nil {
				of = make(map[string]store.Digests)
				found[strings.Clone(p.Descriptor)] = of
			}
			if _, known := of[p.Scene]; !known {
				of[strings.Clone(p.Scene)] = store.Digests{Scene: strings.Clone(p.SceneDigest), Set: strings.Clone(p.SetDigest)}
			}
		}
		return nil
	})
	if err != nil {
		return nil, fold.NotFolded(f, err)
	}
	return found, nil
}

// SameKeypoints reports whether two descriptors, given their digests by scene, share
// scenes and have the same keypoints in all of them.
func SameKeypoints(a, b map[string]store.Digests) bool {
	shared := false
	for scene, digests := range a {
		other, both := b[scene]
		if both && other != digests {
			return false
		}
		shared = shared || both
	}
	return shared
}
