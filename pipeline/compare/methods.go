package compare

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"descbench/descriptors"
	"descbench/eval/catalogue"
	"descbench/eval/scope"
	"descbench/eval/spelling"
	"descbench/eval/stats"
	"descbench/pipeline/config"
	"descbench/pipeline/dataset"
	"descbench/pipeline/fold"
	"descbench/pipeline/notes"
	"descbench/pipeline/report"
)

// Methods says in sentences for a paper, without their full stops, how a run was made and
// evaluated: data, keypoints, descriptors, ground truth, matches, metrics, tests, versions and
// seeds, and what a reader of its values must know. All of it is read from the run. Of opt, it takes
// Baseline, Only and the labels of Set.
func Methods(ctx context.Context, run string, opt Options) (sentences []string, err error) {
	runs, err := Open([]string{run}, opt.Set, "")
	if err != nil {
		return nil, err
	}
	r := runs.Runs[0]
	choice, err := Choose(runs, opt.Baseline, opt.Only, Copies)
	if err != nil {
		return nil, err
	}
	runs.Keep(choice.Chosen)
	env, err := r.RunFolder().ReadEnvironment()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	legend, metrics := NewLegend(runs.Systems), reported(runs)
	value := func(d described, name string) string {
		for _, s := range runs.Systems {
			if m, has := s.Metric(scope.All, name); has && s.Name == d.Name {
				return report.UnitOf(catalogue.Of(name)).Format(m.Value)
			}
		}
		return ""
	}
	ranked := slices.ContainsFunc(metrics, func(m *catalogue.Metric) bool { return m.Of == catalogue.Ranks })
	n, draws := 0, ""
	for _, m := range metrics {
		n = max(n, map[catalogue.Subject]int{catalogue.Homographies: r.Config.Evaluation.Draws.Homographies, catalogue.Poses: r.Config.Evaluation.Draws.Poses}[m.Of])
	}
	if n > 1 {
		draws = fmt.Sprintf("; those of estimates are means over %d random orders of the matches", n)
	}
	sentences = slices.Concat(
		evaluated(r, spelling.Words(runs.Systems, func(s *fold.System) string { return s.Name })),
		legend.Keypoints(), legend.whose("Keypoints per image", func(d described) string {
			if n := value(d, "keypoints_per_image"); n != "" {
				return n + " on average"
			}
			return ""
		}),
		legend.whose("Descriptors", func(d described) string { return rows(r, d) }), legend.Settings(),
		fold.Setup(r.Config, metrics...),
		legend.whose("Keypoints of the first image with a ground truth", func(d described) string {
			if share := value(d, "coverage"); share != "" && ranked {
				return fmt.Sprintf("%s %%, each ranked among %s keypoints on average", share, value(d, "mean_gallery_size"))
			}
			return ""
		}),
		legend.Matches(metrics...),
		[]string{"Metrics: " + report.Listed(titles(r.Config.Preset(), metrics)) + draws},
	)
	if len(runs.Systems) > 1 {
		c, err := Runs(ctx, []string{run}, Options{Baseline: opt.Baseline, Only: opt.Only, Set: opt.Set})
		if err != nil {
			return nil, err
		}
		if c.Family == 0 {
			untested, _ := c.Untested()
			sentences = append(sentences, spelling.Capital(untested))
		} else {
			sentences = append(sentences, "Differences from "+c.Baseline+" in "+c.Metric.Paper+": "+c.Test())
		}
	}
	if report.FewestScenes(scope.All, r)[scope.All] > 0 {
		sentences = append(sentences, fmt.Sprintf("Intervals: 95 %% bootstrap over %s (percentiles of %d resamples, of %d for what is not a mean or ratio; seed %d, as for tests)", report.Drawn(r), stats.Draws, stats.CostlyDraws, stats.FixedSeed))
	}
	sentences = append(sentences, fmt.Sprintf("Computed with descbench %s (OpenCV %s, gocv %s, %s)", env.Program, env.OpenCV, env.GoCV, env.Go))
	names := spelling.Words(runs.Systems, func(s *fold.System) string { return s.Name })
	sentences = append(sentences, spelling.Words(notes.Papers(Facts(runs, scope.All, metrics...), names...), spelling.Capital)...)
	return sentences, nil
}

// evaluated says on which data descriptors are evaluated: it names few scenes, and says if they are not those of HPatches.
func evaluated(r *fold.Run, names []string) []string {
	const most = 8 // scenes to name
	images, pairs := 0, 0
	for _, s := range r.Systems {
		n := 0
		for _, scene := range s.Summary.Scenes {
			n += scene.Images
		}
		images = max(images, n)
		if m, has := s.Metric(scope.All, "matches_per_pair"); has {
			pairs = max(pairs, m.N)
		}
	}
	sentences := []string{fmt.Sprintf("We evaluate %s on %s: %s of %s", report.Listed(names), ScenesBehind(r), spelling.Count(pairs, "pair"), spelling.Count(images, "image"))}
	scenes := r.Summary.Evaluated()
	others := slices.DeleteFunc(slices.Clone(scenes), dataset.IsHPatches)
	all := len(others) == len(scenes) && !r.Config.Evaluation.Posed()
	switch {
	case len(scenes) <= most && all:
		return append(sentences, "Scenes, not from HPatches: "+report.Listed(scenes))
	case len(scenes) <= most && len(others) > 0 && !r.Config.Evaluation.Posed():
		return append(sentences, "Scenes: "+report.Listed(slices.DeleteFunc(slices.Clone(scenes), func(s string) bool { return slices.Contains(others, s) }))+", and "+report.Listed(others)+", not from HPatches")
	case len(scenes) <= most:
		return append(sentences, "Scenes: "+report.Listed(scenes))
	case all:
		return append(sentences, "The scenes are not from HPatches")
	}
	return sentences
}

// titles returns the names of metrics in papers, those of a preset as papers on it have them.
func titles(p *config.Preset, metrics []*catalogue.Metric) []string {
	return spelling.Words(metrics, func(m *catalogue.Metric) string {
		if p != nil {
			for _, of := range PresetColumns(p) {
				if of.Metric == m {
					return of.Full
				}
			}
		}
		return m.Paper
	})
}

// rows says what the rows of a descriptor are and how they are compared.
func rows(r *fold.Run, d described) string {
	for _, s := range r.Systems {
		size, has := s.Metric(scope.All, "bytes_per_descriptor")
		switch {
		case s.Name != d.Name || !has:
		case int(8*size.Value) == s.Summary.Dimension:
			return spelling.Count(s.Summary.Dimension, "bit") + " compared by Hamming distance"
		default:
			norm := map[descriptors.Norm]string{descriptors.L1: " divided by their L1 norm", descriptors.L2: " divided by their L2 norm"}[d.Normalize]
			return spelling.Count(s.Summary.Dimension, "number") + norm + " and compared by Euclidean distance"
		}
	}
	return ""
}

// reported returns the metrics of runs that a paper reports: those of the preset, or mAP, MMA, and
// the AUC of what was estimated.
func reported(runs *fold.Runs) (metrics []*catalogue.Metric) {
	names := []string{catalogue.MAP, "mma@3"}
	for _, e := range runs.Runs[0].Config.Evaluation.Estimators {
		names = append(names, catalogue.With(catalogue.HomographyAUC, e, 3))
		for _, degrees := range []int{5, 10, 20} {
			names = append(names, catalogue.With(catalogue.PoseAUC, e, degrees))
		}
	}
	if p := runs.Runs[0].Config.Preset(); p != nil {
		names = spelling.Words(p.Metrics, func(m config.PresetMetric) string { return m.Name })
	}
	for _, name := range names {
		if slices.ContainsFunc(runs.Systems, func(s *fold.System) bool { _, has := s.Metric(scope.All, name); return has }) {
			metrics = append(metrics, catalogue.Of(name))
		}
	}
	return metrics
}
