package patchbench

import (
	"context"
	"io"

	"descbench/eval"
	"descbench/eval/patches"
	"descbench/eval/patches/original"
	"descbench/pipeline/report"
)

// Files are the files of benchmarks of 2016. Labels are empty or have one file per
// benchmark. Results are empty or have one file per benchmark for the first
// descriptor, then for the second, and so on.
type Files struct {
	Benchmarks, Labels, Results []string
}

// at returns file i, or "" if there are no files.
func at(files []string, i int) string {
	if len(files) == 0 {
		return ""
	}
	return files[i]
}

// Match evaluates matching benchmarks. It reads the results if there are results
// files and computes them otherwise.
func Match(ctx context.Context, o Original, f Files) (*Ratings[*original.MatchingResult], error) {
	r := &run{Original: o, task: original.Matching}
	return rateFiles(ctx, r, "match", f, func(benchmark, labels, results string) (*problem[*original.MatchingResult], error) {
		return r.match(ctx, benchmark, labels, results)
	})
}

func (r *run) match(ctx context.Context, benchmark, labelled, results string) (*problem[*original.MatchingResult], error) {
	p := &problem[*original.MatchingResult]{}
	p.Benchmark, p.name, p.Results = benchmark, original.TaskName(benchmark), results
	b, err := patches.ReadFile(benchmark, original.ReadMatchingBenchmark)
	if err != nil {
		return nil, err
	}
	var labels *original.MatchingLabels
	if labelled != "" {
		labels, err = patches.ReadFile(labelled, func(name string, in io.Reader) (*original.MatchingLabels, error) {
			return original.ReadMatchingLabels(name, in, b)
		})
		if err != nil {
			return nil, err
		}
	}
	if p.set, err = r.load(ctx, b); err != nil {
		return nil, err
	}
	matches, err := answers(r, p, func(name string, in io.Reader) ([]original.Matches, error) {
		return original.ReadMatches(name, in, b, labels)
	}, func() ([]original.Matches, []eval.Warning, error) {
		matches, err := original.Match(ctx, p.set, b, r.Distance, r.Jobs)
		return matches, nil, err
	}, original.WriteMatches)
	if err != nil {
		return nil, err
	}
	if p.Figures, err = original.EvaluateMatching(matches, labels); err != nil {
		return nil, err
	}
	f := p.Figures
	p.Warnings = append(p.Warnings, f.Warnings...)
	if p.set != nil {
		p.Descriptor = p.set.Name
		p.scores = []score{{"matching_map", f.MAPOverCorrect}}
	}
	p.metrics = func() ([]eval.Metric, error) { return f.Metrics(), nil }
	p.digests = func() (string, string) { return original.MatchingDigests(matches, labels) }
	p.curves = func() []report.NamedCurve {
		byDistance, byRatio := original.MatchingCurves(matches, labels)
		ratio, n := 0.0, float64(len(f.Pairs))
		for _, pair := range f.Pairs {
			ratio += pair.AP2NNROverN / n
		}
		return []report.NamedCurve{{Name: "by_distance", Curve: byDistance, MAP: f.MAPOverN}, {Name: "by_ratio", Curve: byRatio, MAP: ratio}}
	}
	return p, nil
}
