package compare

import (
	"path/filepath"
	"slices"

	"descbench/eval/catalogue"
	"descbench/eval/fact"
	"descbench/pipeline/config"
	"descbench/pipeline/fold"
)

// FindMetric returns the metric that a word stands for in a run: of several, such as
// homography_auc@3 by each of the estimators, the first tolerant one. A metric that the run
// lacks is taken as it is.
func FindMetric(word string, o *fold.Outcome) (string, catalogue.Definition, error) {
	word = o.Config.Preset().MetricOf(word)
	if found, err := catalogue.Find(word, o.ShortNames()); err == nil {
		word = found[max(0, slices.IndexFunc(found, catalogue.Tolerant))]
	} else if _, _, unknown := catalogue.Resolve(word); unknown != nil {
		return "", catalogue.Definition{}, err
	}
	return catalogue.Resolve(word)
}

// otherThanPreset names metrics that the authors of a preset print, unless they print this
// one. The preset may be nil.
func otherThanPreset(p *config.Preset, metric string) []fact.Fact {
	if p == nil || slices.ContainsFunc(p.Metrics, func(m config.PresetMetric) bool { return m.Name == metric }) {
		return nil
	}
	var names []string
	for _, m := range p.Metrics {
		if _, d, _ := catalogue.Lookup(m.Name); d.Better == "higher" {
			names = append(names, catalogue.Short(m.Name))
		}
	}
	return []fact.Fact{fact.New(fact.NotOfPreset).Naming("preset", p.Name).Naming("metric", catalogue.Short(metric)).Naming("metrics", names...)}
}

// sceneFigure returns the name of a metric of a run, and the name of the metric of
// single scenes that is compared for it.
func sceneFigure(text string, outcome *fold.Outcome) (metric, figure string, err error) {
	metric, d, err := FindMetric(text, outcome)
	named, _, _ := catalogue.Resolve(text)
	switch figure, other := fold.OfScene[metric]; {
	case err != nil && ofRankings(named) && !slices.ContainsFunc(outcome.Config.Descriptors, func(d config.Descriptor) bool { return d.Matches == nil }):
		return "", "", onlyMatches(filepath.Base(outcome.Folder))
	case err != nil:
		return "", "", &config.Error{File: "--metric", Msg: err.Error()}
	case other:
		return metric, figure, nil
	case d.Better != "higher" || catalogue.IsOpen(metric):
		return "", "", &config.Error{File: "--metric " + text, Msg: "want a metric where higher is better, with a number in place of K: " +
			"map_macro, hit@1, mma@3, keypoint_retrieval_ap, ...; descbench metrics lists them"}
	}
	return metric, metric, nil
}

// onlyMatches says that a descriptor, or a run, does not have what was asked for.
func onlyMatches(name string) error {
	return &config.Error{File: "compare", Msg: name + " has only matches: add --metric mma@3"}
}

// ofRankings reports whether a metric is one of rankings.
func ofRankings(metric string) bool {
	_, d, _ := catalogue.Lookup(metric)
	return d.Group == "ranking"
}
