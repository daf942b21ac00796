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

// Retrieve evaluates retrieval benchmarks. Without results files it computes the
// results from the source. With both, the source only provides the numbers of
// patches.
func Retrieve(ctx context.Context, o Original, f Files) (*Ratings, error) {
	r := &run{Original: o, task: y2016.Retrieval}
	return rateFiles(ctx, r, "retrieve", f, r.retrieve, func(all []*y2016.RetrievalResult) *y2016.RetrievalResult {
		return &y2016.RetrievalResult{RetrievalMean: y2016.MeanRetrieval(all)}
	}, report.RetrievalOf2016)
}

func (r *run) retrieve(ctx context.Context, benchmark, labelled, results string) (*problem, *y2016.RetrievalResult, error) {
	p := &problem{Rated: &Rated{Benchmark: benchmark, Results: results}, name: y2016.TaskName(benchmark)}
	b, err := patches.ReadFile(files.Open, benchmark, y2016.ReadRetrievalBenchmark)
	if err != nil {
		return nil, nil, err
	}
	if p.set, err = r.load(ctx, b); err != nil {
		return nil, nil, err
	}
	clusters := b.SamePlace()
	if labelled != "" {
		clusters, err = patches.ReadFile(files.Open, labelled, func(name string, in io.Reader) ([][]patches.Signature, error) {
			return y2016.ReadClusters(name, in, b, p.set)
		})
		if err != nil {
			return nil, nil, err
		}
	}
	rankings, err := answers(r, p, func(name string, in io.Reader) ([][]patches.Signature, error) {
		return y2016.ReadRankings(name, in, b, p.set)
	}, func() ([][]patches.Signature, []fact.Fact, error) {
		return y2016.Retrieve(ctx, p.set, b, r.Distance, r.Jobs)
	}, func(w io.Writer, rankings [][]patches.Signature) error { return y2016.WriteRankings(w, b, rankings) })
	if err != nil {
		return nil, nil, err
	}
	f, err := y2016.EvaluateRetrieval(b, clusters, rankings, p.set)
	if err != nil {
		return nil, nil, err
	}
	if p.set != nil {
		p.Descriptor = p.set.Name
	}
	p.metrics = func() ([]scope.Metric, error) { return f.Metrics(), nil }
	p.digests = func() (string, string) { return y2016.RetrievalDigests(b, clusters, rankings) }
	p.curves = func() []report.NamedCurve {
		images, places := f.Curves()
		return []report.NamedCurve{{Name: "images", Curve: images, MAP: f.ImageMAP}, {Name: "patches", Curve: places, MAP: f.PatchMAP}}
	}
	return p, f, nil
}
