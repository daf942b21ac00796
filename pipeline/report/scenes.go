package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"descbench/eval/fact"
	"descbench/eval/scope"
	"descbench/eval/spelling"
	"descbench/eval/stats"
	"descbench/pipeline/fold"
	"descbench/pipeline/store"
)

// fewNames is the number of names that a line lists.
const fewNames = 3

// Scenes are the scenes behind the values of a table.
type Scenes struct {
	Names     []string // with a value in some row
	Requested int      // 0: as many
	Fewest    int      // behind a row; 0: as many
	HPatches  int      // of them from HPatches
	Selected  bool     // the config names them
	Noun      string   // what they are; "" for scene
}

// String says how many scenes there are, and of which kinds: "4 of 5 selected scenes (2 viewpoint, 2
// illumination; 3 from HPatches)".
func (s Scenes) String() string {
	noun, n := cmp.Or(s.Noun, "scene"), len(s.Names)
	fewest := cmp.Or(s.Fewest, n)
	if fewest < n && s.Requested == 0 {
		return spelling.Counts([]int{fewest, n}, "shared "+noun)
	}
	count := CountScenes(s.Names)
	var kinds, about []string
	if groups := groupsOf(s.Names); groups < n {
		about, count = []string{spelling.Count(groups, "group")}, nil
	}
	for _, c := range []string{scope.Viewpoint, scope.Illumination, scope.Other} {
		if count[c] > 0 {
			kinds = append(kinds, fmt.Sprintf("%d %s", count[c], c))
		}
		if count[c] == n && n > 0 && c != scope.Other {
			noun, kinds = c+" "+noun, nil
			break
		}
	}
	if len(kinds) > 1 {
		about = append(about, strings.Join(kinds, ", "))
	}
	if s.HPatches == n && n > 0 {
		noun = "HPatches " + noun
	} else if s.HPatches > 0 {
		about = append(about, fmt.Sprintf("%d from HPatches", s.HPatches))
	}
	if s.Selected {
		noun = "selected " + noun
	}
	text := spelling.Count(n, noun)
	if s.Requested > fewest {
		text = fmt.Sprintf("%s of %s", spelling.Span(fewest, n), spelling.Count(s.Requested, noun))
	}
	if about != nil {
		text += " (" + strings.Join(about, "; ") + ")"
	}
	return text
}

// groupsOf returns the number of groups of scenes.
func groupsOf(scenes []string) int {
	groups := make(map[string]bool)
	for _, s := range scenes {
		groups[scope.Group(s)] = true
	}
	return len(groups)
}

// drawn returns what resamples draw of scenes: a scene of each group, if there are enough, else all.
func drawn(scenes []string) (out []string) {
	if groupsOf(scenes) < stats.FewestGroups {
		return scenes
	}
	for i, s := range scenes {
		if i == 0 || scope.Group(s) != scope.Group(scenes[i-1]) {
			out = append(out, s)
		}
	}
	return out
}

// Drawn names what resamples and tests draw of the scenes of a run: scenes, or groups of them.
func Drawn(r *fold.Run) string {
	for _, d := range r.Summary.Descriptors {
		if scenes := slices.Sorted(maps.Keys(d.Scenes)); len(drawn(scenes)) < len(scenes) {
			return "groups"
		}
	}
	return "scenes"
}

// FewestScenes returns the smallest numbers of scenes, or groups of them, behind intervals of
// the descriptors of runs, by category; within a category, only that of its scenes, as scope.All.
func FewestScenes(in string, runs ...*fold.Run) map[string]int {
	fewest := make(map[string]int)
	for _, r := range runs {
		for _, d := range r.Summary.Descriptors {
			count := CountScenes(drawn(slices.Sorted(maps.Keys(d.Scenes))))
			if n, category := count[in]; category && in != scope.All {
				count = map[string]int{scope.All: n}
			}
			for c, n := range count {
				if n >= stats.FewestScenes {
					fewest[c] = min(cmp.Or(fewest[c], n), n)
				}
			}
		}
	}
	return fewest
}

// CountScenes counts scenes by category.
func CountScenes(scenes []string) map[string]int {
	count := make(map[string]int)
	for _, scene := range scenes {
		count[scope.All]++
		count[scope.Category(scene)]++
	}
	return count
}

// SharedScenes returns the scenes with results of every descriptor that has any.
func SharedScenes(s *store.Summary) (shared []string) {
	evaluated := slices.DeleteFunc(slices.Clone(s.Descriptors), func(d store.SummaryDescriptor) bool { return len(d.Scenes) == 0 })
	for _, scene := range s.Evaluated() {
		if !slices.ContainsFunc(evaluated, func(d store.SummaryDescriptor) bool { _, has := d.Scenes[scene]; return !has }) {
			shared = append(shared, scene)
		}
	}
	return shared
}

// sameScenes reports whether all descriptors have results for the same scenes.
func sameScenes(s *store.Summary) bool {
	scenes := len(s.Evaluated())
	return !slices.ContainsFunc(s.Descriptors, func(d store.SummaryDescriptor) bool { return len(d.Scenes) != scenes })
}

// LackingScenes returns a fact for each descriptor that lacks scenes of others, unless it failed for
// all.
func LackingScenes(s *store.Summary) (out []fact.Fact) {
	for _, d := range s.Descriptors {
		if lacks := slices.DeleteFunc(s.Evaluated(), func(scene string) bool { _, has := d.Scenes[scene]; return has }); len(lacks) > 0 && (len(d.Scenes) > 0 || len(s.FailedScenes) == 0) {
			out = append(out, fact.New(fact.LacksScenes, lacks...).With("n", float64(len(d.Scenes))).On(d.Name))
		}
	}
	return out
}

// Failures returns a fact for each reason why scenes failed for all descriptors of a summary, and for each
// descriptor that failed in others: with the first reason, since a program fails in most of them alike.
func Failures(s *store.Summary) (out []fact.Fact) {
	var texts []string // of the first reasons
	add := func(scene string, failure store.Failure, descriptor string) {
		reason, text := failure.Of(scene)
		i := slices.IndexFunc(out, func(f fact.Fact) bool {
			return f.Descriptor == descriptor && (descriptor != "" || f.Names["reason"][0] == reason)
		})
		if i < 0 {
			out, texts = append(out, fact.New(fact.Failure, scene).Naming("reason", reason).On(descriptor)), append(texts, text)
			return
		}
		if text != texts[i] {
			out[i] = out[i].Naming("others", "yes")
		}
		out[i].Scenes = append(out[i].Scenes, scene)
	}
	for _, scene := range slices.Sorted(maps.Keys(s.FailedScenes)) {
		for _, f := range s.FailedScenes[scene] {
			of := slices.DeleteFunc(slices.Clone(f.Descriptors), func(name string) bool {
				return !slices.ContainsFunc(s.Descriptors, func(d store.SummaryDescriptor) bool { return d.Name == name })
			})
			if len(of) == len(s.Descriptors) {
				of = []string{""}
			}
			for _, name := range of {
				add(scene, f, name)
			}
		}
	}
	for i, f := range out {
		if len(f.Scenes) == 1 {
			out[i].Names["reason"][0] = Reason(f.Scenes[0], f.Names["reason"][0])
		}
	}
	return out
}

// Reason returns the reason why a scene failed. It begins with the scene's name.
func Reason(scene, reason string) string {
	if strings.HasPrefix(reason, scene) {
		return reason
	}
	return scene + ": " + reason
}
