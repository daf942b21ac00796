package distractors

import (
	"slices"
	"strings"

	"descbench/eval/fact"
	"descbench/eval/scope"
)

// figures adds the metrics of one scope to a list.
type figures[T any] struct {
	scope.Scope[T]
	list *scope.List
}

// tallyOf returns the tally of a whole scene.
func tallyOf[T any](s scope.Scene[T]) T { return s.Parts[0].Tally }

// alsoOfAll also adds the metrics from index first on to the scope of all scenes, if
// they belong to the scope viewpoint or illumination. They get separate names there:
// keypoint_verification_ap becomes verification_viewpoint_ap.
func (f figures[T]) alsoOfAll(first int) {
	if f.Name != scope.Viewpoint && f.Name != scope.Illumination {
		return
	}
	names := strings.NewReplacer("keypoint_", "", "_ap", "_"+f.Name+"_ap", "_map", "_"+f.Name+"_map")
	for _, m := range f.list.Metrics[first:] {
		m.Scope, m.Name = scope.All, names.Replace(m.Name)
		f.list.Metrics = append(f.list.Metrics, m)
	}
}

// failedFacts tells of the failed scenes of a task, if any.
func failedFacts(task string, failed []string) []fact.Fact {
	return aboutScenes(slices.Sorted(slices.Values(failed)), fact.New(fact.TaskIncomplete).Of(task))
}

// aboutScenes returns a fact about scenes, if there are any.
func aboutScenes(scenes []string, f fact.Fact) []fact.Fact {
	if len(scenes) == 0 {
		return nil
	}
	f.Scenes = scenes
	return []fact.Fact{f}
}
