package compare

import (
	"cmp"
	"math"
	"path/filepath"
	"slices"

	"descbench/eval/catalogue"
	"descbench/eval/scope"
	"descbench/pipeline/config"
	"descbench/pipeline/fold"
	"descbench/pipeline/report"
)

// FindMetric returns the metric that a word stands for in a run: of several, such as
// homography_auc@3 by each of the estimators, the first tolerant one. A metric that the run
// lacks is taken as it is.
func FindMetric(word string, r *fold.Run) (*catalogue.Metric, error) {
	word = r.Config.Preset().MetricOf(word)
	if found, err := catalogue.Find(word, r.ShortNames()); err == nil {
		return catalogue.Tolerant(catalogue.OfAll(found)), nil
	} else if m := catalogue.Of(word); !m.IsKnown() || m.Open && m.Impossible(r.MetricNames()) {
		return nil, err
	}
	return catalogue.Of(word), nil
}

// PresetColumns returns the columns of the metrics that the authors of a preset print.
func PresetColumns(p *config.Preset) []report.Selected {
	var columns []report.Selected
	for _, m := range p.Metrics {
		columns = append(columns, report.Selected{Metric: catalogue.Of(m.Name), Title: m.Title, Full: cmp.Or(m.Paper, m.Title)})
	}
	return columns
}

// Headline returns the metric by which descriptors of runs with a preset are ranked: the first tolerant one, of
// those that its authors print and then mAP, of which higher is better and by which descriptors
// differ. If they differ by none, it is the first that the runs have. It is nil without a preset.
func Headline(runs *fold.Runs) (headline *catalogue.Metric) {
	p := runs.Runs[0].Config.Preset()
	if p == nil {
		return nil
	}
	for _, m := range append(slices.Clip(p.Metrics), config.PresetMetric{Name: catalogue.MAP}) {
		metric, values := catalogue.Of(m.Name), make(map[float64]bool)
		for _, s := range runs.Systems {
			if v, there := s.Metric(scope.All, metric.Name); there && !math.IsNaN(v.Value) {
				values[v.Value] = true
			}
		}
		switch {
		case metric.Better == "" || metric.Lower() || !metric.Tolerant() || len(values) == 0:
		case len(values) > 1:
			return metric
		case headline == nil:
			headline = metric
		}
	}
	return headline
}

// PoseMetric is the metric that is compared by default if images have cameras without depth.
const PoseMetric = "pose_auc@10"

// MetricOf returns the metric of a text by which descriptors of runs are compared: by default the Headline, without a preset mAP
// or, of images with cameras without depth, PoseMetric. Errors name the flag that asks for it.
func MetricOf(flag, text string, runs *fold.Runs) (*catalogue.Metric, error) {
	run := runs.Runs[0]
	posed := run.Config.Placeless()
	if headline := Headline(runs); text == "" && headline != nil {
		text = headline.Name
	} else if text == "" && posed {
		text = PoseMetric
	}
	text = cmp.Or(text, catalogue.MAP)
	metric, err := FindMetric(text, run)
	switch {
	case ofRankings(catalogue.Of(text)) && posed:
		return nil, &config.Error{File: "compare", Msg: filepath.Base(run.Folder) + " has no rankings, since its images have cameras without depth: want " + flag + " " + PoseMetric}
	case err != nil && text == "time":
		return nil, &config.Error{File: flag, Msg: "times are not compared; results --table time prints them"}
	case err != nil && ofRankings(catalogue.Of(text)) && !slices.ContainsFunc(run.Config.Descriptors, func(d config.Descriptor) bool { return d.Matches == nil }):
		return nil, onlyMatches(flag, filepath.Base(run.Folder))
	case err != nil:
		return nil, &config.Error{File: flag, Msg: err.Error()}
	case metric.Better == "" || metric.Open:
		return nil, &config.Error{File: flag + " " + text, Msg: "want a metric where higher or lower is better, with a number in place of K: " +
			"map_macro, hit@1, mma@3, keypoint_retrieval_ap, ...; descbench metrics lists them"}
	}
	return metric, nil
}

// onlyMatches says that a descriptor, or a run, does not have what was asked for.
func onlyMatches(flag, name string) error {
	return &config.Error{File: "compare", Msg: name + " has only matches: want " + flag + " mma@3"}
}

// ofRankings reports whether a metric is one of rankings.
func ofRankings(m *catalogue.Metric) bool { return m.Group == "ranking" }

// sceneMetric returns the name of the metric of single scenes that is compared for a metric.
func sceneMetric(m *catalogue.Metric) string { return cmp.Or(m.Scene, m.Name) }
