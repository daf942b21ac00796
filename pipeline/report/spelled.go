package report

import (
	"fmt"
	"path"

	"descbench/eval/catalogue"
	"descbench/eval/scope"
	"descbench/eval/spelling"
)

// title returns a metric as papers write it, as the begin of a title.
func title(m *catalogue.Metric) string { return spelling.Capital(m.Paper) }

// ScopeWords names the scenes and pairs of a scope.
func ScopeWords(name string) string {
	switch id := scope.Parse(name); {
	case name == scope.All, name == scope.Viewpoint, name == scope.Illumination:
		return name + " scenes"
	case id.Kind == scope.OneImage:
		return fmt.Sprintf("image pairs 1_%d", id.K)
	case id.Kind == scope.OnePair:
		return "pair " + scope.PairLabel(id.Scene, id.K)
	case id.Kind == scope.OneScene:
		return "scene " + id.Scene
	case id.Kind == scope.OneGroup:
		return "group " + id.Group
	case id.Kind == scope.OneSubset:
		return "subset " + path.Join(id.Subset, id.Category)
	}
	return name
}
