package fold

import (
	"slices"
	"strings"

	"descbench/eval/catalogue"
	"descbench/pipeline/config"
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

// ShortNames returns the names of the metrics in tables, flags and messages.
func (o *Outcome) ShortNames() []string {
	names := o.MetricNames()
	for i, name := range names {
		names[i] = catalogue.Short(name)
	}
	return names
}

// Lacks returns the error about a metric that a flag names, but that the run does not
// have there. It suggests those that the run has.
func (o *Outcome) Lacks(flag, metric, there string) error {
	metric = catalogue.Short(metric)
	text := "no value " + there
	if _, err := catalogue.Find(metric, o.ShortNames()); err != nil {
		text = err.Error()
	}
	return &config.Error{File: flag + " " + metric, Msg: o.Folder + ": " + text}
}
