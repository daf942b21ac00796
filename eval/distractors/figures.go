package distractors

import (
	"maps"
	"slices"
	"strings"

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

// A warner collects the warnings of a task.
type warner struct {
	task string
	scope.Warnings
}

// newWarner returns a warner with a warning about the failed scenes, if any.
func newWarner(task string, failed map[string]string) *warner {
	w := &warner{task: task}
	if names := slices.Sorted(maps.Keys(failed)); len(names) > 0 {
		w.AddOf(names, "task-incomplete", "%s is incomplete: failed scenes (excluded from all metrics and from the distractors): %s", task, strings.Join(names, ", "))
	}
	return w
}

// addOf adds a warning about scenes, if there are any.
func (w *warner) addOf(scenes []string, kind, format string, args ...any) {
	if len(scenes) > 0 {
		w.AddOf(scenes, kind, w.task+": "+format, args...)
	}
}
