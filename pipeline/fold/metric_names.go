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

// OfScene maps metrics that are means over scenes to the metric of a single scene, where
// that has a different name.
var OfScene = map[string]string{
	catalogue.MAP:                      catalogue.MicroMAP,
	catalogue.MAP + "_including_zeros": catalogue.MicroMAP + "_including_zeros",
	"legacy_macro_precision_by_scene":  "mean_precision",
	"fixed_gallery_map_macro_by_scene": "fixed_gallery_map",
}

// Lacks returns the error about a metric that a flag names, but that the run does not
// have there. It suggests those that the run has.
func (o *Outcome) Lacks(flag, metric, there string) error {
	metric = catalogue.Short(metric)
	text := "no value " + there
	for mean, one := range OfScene {
		if catalogue.Short(mean) == metric && (strings.Contains(there, "scene:") || strings.Contains(there, "pair:")) {
			text = metric + " is a mean over scenes, which single scenes and pairs do not have; use " + catalogue.Short(one)
		}
	}
	if _, err := catalogue.Find(metric, o.ShortNames()); err != nil {
		text = err.Error()
	}
	return &config.Error{File: flag + " " + metric, Msg: o.Folder + ": " + text}
}
