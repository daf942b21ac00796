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
	"descbench/pipeline/store"
)

// fewNames is the number of names that a line lists.
const fewNames = 3

// Named lists the first few of the names of descriptors: "sift, surf and 2 more".
// total is the number of all descriptors; a line about all of them says so.
func Named(names []string, total int) string {
	if n := len(names); n == total && n > 1 {
		return "all descriptors"
	}
	return spelling.Few(names, fewNames)
}

// ScenesBehind says how many scenes have results of every descriptor of a summary, and
// which failed: "3 of 4 scenes (1 viewpoint, 2 illumination), failed: v_wall", and how many map
// is over if these are fewer. They are selected if the config names some.
func ScenesBehind(s *store.Summary, named []string) string {
	doubtful := Doubtful(s)
	shared := SharedScenes(s)
	s, _ = withoutFailed(s)
	count := CountScenes(shared)
	var kinds []string
	if groups := groupsOf(shared); groups < len(shared) {
		kinds, count = []string{spelling.Count(groups, "group")}, nil
	}
	for _, c := range []string{scope.Viewpoint, scope.Illumination, scope.Other} {
		if count[c] > 0 {
			kinds = append(kinds, fmt.Sprintf("%d %s", count[c], c))
		}
	}
	text := fmt.Sprintf("%d of %s", len(shared), spelling.Count(s.ScenesRequested, SceneNoun(len(named) > 0)))
	if !sameScenes(s.Descriptors) {
		text += " with results of every descriptor"
	}
	if len(kinds) > 0 {
		text += " (" + strings.Join(kinds, ", ") + ")"
	}
	return text + unranked(s) + doubtful
}

// groupsOf returns the number of groups of scenes.
func groupsOf(scenes []string) int {
	groups := make(map[string]bool)
	for _, s := range scenes {
		groups[scope.Group(s)] = true
	}
	return len(groups)
}

// unranked says for which descriptors map is over fewer scenes than there are results of, because
// no query of the others has a ground truth: ", 6 of 8 for map of sift". It returns "" without any.
func unranked(s *store.Summary) string {
	var fewer spelling.Groups
	ranked := 0
	for _, d := range s.Descriptors {
		if _, ranks := d.Metrics.Get("coverage"); !ranks {
			continue // imported matches
		}
		ranked++
		n := 0
		for _, scene := range d.Scenes {
			if scene.TrueMAP != nil {
				n++
			}
		}
		if n < len(d.Scenes) {
			fewer.Add(fmt.Sprintf("%d of %d for map", n, len(d.Scenes)), d.Name)
		}
	}
	text := ""
	for _, count := range fewer.Texts {
		text += ", " + count
		if names := fewer.Of[count]; len(names) < ranked {
			text += " of " + spelling.Few(names, fewNames)
		}
	}
	return text
}

// SceneNoun says of scenes whether the config names them: "selected scene".
func SceneNoun(selected bool) string {
	if selected {
		return "selected scene"
	}
	return "scene"
}

// withoutFailed returns a summary without the descriptors that have no results, and their
// names; if no descriptor has any, with all of them.
func withoutFailed(s *store.Summary) (*store.Summary, []string) {
	out := *s
	var failed []string
	out.Descriptors = nil
	for _, d := range s.Descriptors {
		if len(d.Scenes) > 0 {
			out.Descriptors = append(out.Descriptors, d)
		} else {
			failed = append(failed, d.Name)
		}
	}
	if out.Descriptors == nil {
		return s, nil
	}
	return &out, failed
}

// FewestScenes returns the smallest numbers of scenes behind intervals of descriptors, by
// category; within a category, only that of its scenes, as scope.All.
func FewestScenes(in string, summaries ...*store.Summary) map[string]int {
	fewest := make(map[string]int)
	for _, s := range summaries {
		for _, d := range s.Descriptors {
			count := CountScenes(slices.Collect(maps.Keys(d.Scenes)))
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

// Doubtful names the scenes that failed, those that are evaluated although
// their images contradict them, and the descriptors that failed in all scenes: ", failed:
// v_wall, failed in all: surf". It returns "" without any.
func Doubtful(s *store.Summary) string {
	var failed, trusted []string
	s, nowhere := withoutFailed(s)
	for _, f := range Failures(s) {
		failed = append(failed, f.Scene)
	}
	for _, w := range s.Warnings {
		if w.Kind == fact.TrustedScene {
			trusted = slices.Compact(append(trusted, w.Scenes...))
		}
	}
	text := ""
	for _, part := range []struct {
		what  string
		names []string
	}{{"failed", failed}, {"homographies that do not fit the images", trusted}, {"failed in all", nowhere}} {
		if len(part.names) > 0 {
			const most = 7
			text += ", " + part.what + ": " + spelling.Few(part.names, most)
		}
	}
	return text
}

// SharedScenes returns the scenes with results of every descriptor that has any.
func SharedScenes(s *store.Summary) []string {
	s, _ = withoutFailed(s)
	return sharedScenes(s.Descriptors)
}

func sharedScenes(descriptors []store.SummaryDescriptor) []string {
	count := make(map[string]int)
	for _, d := range descriptors {
		for scene := range d.Scenes {
			count[scene]++
		}
	}
	maps.DeleteFunc(count, func(_ string, n int) bool { return n < len(descriptors) })
	return slices.Sorted(maps.Keys(count))
}

// sameScenes reports whether all descriptors have results for the same scenes.
func sameScenes(descriptors []store.SummaryDescriptor) bool {
	shared := len(sharedScenes(descriptors))
	return !slices.ContainsFunc(descriptors, func(d store.SummaryDescriptor) bool { return len(d.Scenes) != shared })
}

// ScenesNote says that the lines of a table are over different scenes, or returns "".
func ScenesNote(s *store.Summary) string {
	if sameScenes(s.Descriptors) {
		return ""
	}
	var parts []string
	for _, d := range s.Descriptors {
		part := fmt.Sprintf("%s over %d", d.Name, len(d.Scenes))
		if lacks := slices.DeleteFunc(s.Evaluated(), func(scene string) bool { _, has := d.Scenes[scene]; return has }); len(lacks) > 0 {
			part += ", without " + spelling.Few(lacks, fewNames)
		}
		parts = append(parts, part)
	}
	return "descriptors have different scenes (" + strings.Join(parts, "; ") + "): descbench compare uses the shared ones"
}

// A Failure is a scene that failed for some descriptors.
type Failure struct {
	Scene  string
	Of     []string // names the descriptors that it failed for; nil: all of them
	Reason string   // begins with the scene
}

// GroupedFailures returns a line for people for the scenes that failed for the same
// descriptors and the same reason.
func GroupedFailures(failures []Failure) []string {
	var scenes spelling.Groups
	for _, f := range failures {
		of := "FAILED (excluded from all metrics): "
		if f.Of != nil {
			of = "FAILED for " + strings.Join(f.Of, ", ") + ": "
		}
		scenes.Add(of+"\x00"+strings.ReplaceAll(f.Reason, f.Scene, "\x00"), f.Scene)
	}
	order := scenes.Texts
	for i, key := range order {
		of, reason, _ := strings.Cut(key, "\x00")
		names := scenes.Of[key]
		if len(names) == 1 {
			order[i] = of + strings.ReplaceAll(reason, "\x00", names[0])
			continue
		}
		reason = strings.TrimPrefix(strings.TrimPrefix(reason, "\x00:"), " ")
		order[i] = of + spelling.Count(len(names), "scene") + " (" + spelling.Few(names, fewNames) + "): " + strings.ReplaceAll(reason, "\x00", "SCENE")
	}
	return order
}

// Failures lists the scenes that failed for descriptors of a summary, by name.
func Failures(s *store.Summary) (out []Failure) {
	for _, scene := range slices.Sorted(maps.Keys(s.FailedScenes)) {
		for _, f := range s.FailedScenes[scene] {
			of := slices.DeleteFunc(slices.Clone(f.Descriptors), func(name string) bool {
				return !slices.ContainsFunc(s.Descriptors, func(d store.SummaryDescriptor) bool { return d.Name == name })
			})
			switch {
			case len(of) == 0: // of descriptors that the summary is without
				continue
			case len(of) == len(s.Descriptors):
				of = nil
			}
			out = append(out, Failure{scene, of, Reason(scene, f.Reason)})
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
