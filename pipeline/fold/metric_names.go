package fold

import (
	"slices"
	"strings"
)

// MetricNames returns the names of the metrics that any descriptor has, each once: those
// of homographies in the order of the config's estimators, then the others.
func (o *Outcome) MetricNames() []string {
	var names []string
	add := func(prefix string) {
		for _, d := range o.Summary.Descriptors {
			for _, f := range d.Metrics {
				if strings.HasPrefix(f.Name, prefix) && !slices.Contains(names, f.Name) {
					names = append(names, f.Name)
				}
			}
		}
	}
	for _, e := range o.Config.Evaluation.Estimators {
		add(e + "_homography")
	}
	add("")
	return names
}
