package tasks

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"descbench/eval/scope"
)

// figures adds the figures of one scope to a list.
type figures[T any] struct {
	scope.Scope[T]
	list *scope.List
}

// tallyOf returns that of a whole scene.
func tallyOf[T any](s scope.Scene[T]) T { return s.Parts[0].Tally }

// alsoOfAll enters the metrics that were added since first among those of all
// scenes too, if they are of viewpoint or illumination, under names of their own:
// keypoint_verification_ap as verification_viewpoint_ap.
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

// A warner collects the warnings of a task.
type warner struct {
	task string
	scope.Warnings
}

// newWarner returns a collection that begins with the scenes that failed.
func newWarner(task string, failed map[string]string) *warner {
	w := &warner{task: task}
	if len(failed) > 0 {
		w.Warnings.Add("task-incomplete", "%s is incomplete: scenes that failed are left out of every figure and give no distractors: %s",
			task, strings.Join(slices.Sorted(maps.Keys(failed)), ", "))
	}
	return w
}

func (w *warner) add(kind, format string, args ...any) {
	w.Warnings.Add(kind, w.task+": "+format, args...)
}

// listed joins at most five texts.
func listed(texts []string) string {
	const most = 5
	if len(texts) <= most {
		return strings.Join(texts, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(texts[:most], ", "), len(texts)-most)
}
