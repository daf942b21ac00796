package patchbench

import (
	"context"
	"io"

	"descbench/eval/fact"
	"descbench/eval/patches"
	"descbench/eval/patches/y2016"
	"descbench/eval/scope"
	"descbench/pipeline/files"
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
func Match(ctx context.Context, o Original, f Files) (*Ratings, error) {
	r := &run{Original: o, task: y2016.Matching}
	return rateFiles(ctx, r, "match", f, r.match, func(all []*y2016.MatchingResult) *y2016.MatchingResult {
		return &y2016.MatchingResult{MatchingMean: y2016.MeanMatching(all)}
	}, report.MatchingOf2016)
}

func (r *run) match(ctx context.Context, benchmark, labelled, results string) (*problem, *y2016.MatchingResult, error) {
	p := &problem{Rated: &Rated{Benchmark: benchmark, Results: results}, name: y2016.TaskName(benchmark)}
	b, err := patches.ReadFile(files.Open, benchmark, y2016.ReadMatchingBenchmark)
	if err != nil {
		return nil, nil, err
	}
	var labels *y2016.MatchingLabels
	if labelled != "" {
		labels, err = patches.ReadFile(files.Open, labelled, func(name string, in io.Reader) (*y2016.MatchingLabels, error) {
			return y2016.ReadMatchingLabels(name, in, b)
		})
		if err != nil {
			return nil, nil, err
		}
	}
	if p.set, err = r.load(ctx, b); err != nil {
		return nil, nil, err
	}
	matches, err := answers(r, p, func(name string, in io.Reader) ([]y2016.Matches, error) {
		return y2016.ReadMatches(name, in, b, labels)
	}, func() ([]y2016.Matches, []fact.Fact, error) {
		matches, err := y2016.Match(ctx, p.set, b, r.Distance, r.Jobs)
		return matches, nil, err
	}, y2016.WriteMatches)
	if err != nil {
		return nil, nil, err
	}
	f, err := y2016.EvaluateMatching(matches, labels)
	if err != nil {
		return nil, nil, err
	}
	if p.set != nil {
		p.Descriptor = p.set.Name
	}
	p.metrics = func() ([]scope.Metric, error) { return f.Metrics(), nil }
	p.digests = func() (string, string) { return y2016.MatchingDigests(matches, labels) }
	p.curves = func() []report.NamedCurve {
		byDistance, byRatio := f.Curves()
		return []report.NamedCurve{{Name: "by_distance", Curve: byDistance, MAP: f.MAPOverCorrect}, {Name: "by_ratio", Curve: byRatio, MAP: f.MAP2NNR}}
	}
	return p, f, nil
}
