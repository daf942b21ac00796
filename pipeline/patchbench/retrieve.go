package patchbench

import (
	"context"
	"io"

	"descbench/eval"
	"descbench/eval/patches"
	"descbench/eval/patches/original"
	"descbench/pipeline/report"
)

// Retrieve evaluates retrieval benchmarks. Without results files it computes the
// results from the source. With both, the source only provides the numbers of
// patches.
func Retrieve(ctx context.Context, o Original, f Files) (*Ratings[*original.RetrievalResult], error) {
	r := &run{Original: o, task: original.Retrieval}
	return rateFiles(ctx, r, "retrieve", f, func(benchmark, labels, results string) (*problem[*original.RetrievalResult], error) {
		return r.retrieve(ctx, benchmark, labels, results)
	})
}

func (r *run) retrieve(ctx context.Context, benchmark, labelled, results string) (*problem[*original.RetrievalResult], error) {
	p := &problem[*original.RetrievalResult]{}
	p.Benchmark, p.name, p.Results = benchmark, original.TaskName(benchmark), results
	b, err := patches.ReadFile(benchmark, original.ReadRetrievalBenchmark)
	if err != nil {
		return nil, err
	}
	if p.set, err = r.load(ctx, b); err != nil {
		return nil, err
	}
	counts := original.CountsOf(p.set)
	if p.set == nil {
		if counts, err = original.CountsBeside(benchmark); err != nil {
			return nil, err
		}
	}
	clusters := b.SamePlace()
	if labelled != "" {
		clusters, err = patches.ReadFile(labelled, func(name string, in io.Reader) ([][]patches.Signature, error) {
			return original.ReadClusters(name, in, b, counts)
		})
		if err != nil {
			return nil, err
		}
	}
	rankings, err := answers(r, p, func(name string, in io.Reader) ([][]patches.Signature, error) {
		return original.ReadRankings(name, in, b, counts)
	}, func() ([][]patches.Signature, []eval.Warning, error) {
		return original.Retrieve(ctx, p.set, b, r.Distance, r.Jobs)
	}, func(w io.Writer, rankings [][]patches.Signature) error { return original.WriteRankings(w, b, rankings) })
	if err != nil {
		return nil, err
	}
	if p.Figures, err = original.EvaluateRetrieval(b, clusters, rankings, counts); err != nil {
		return nil, err
	}
	f := p.Figures
	p.Warnings = append(p.Warnings, f.Warnings...)
	if p.set != nil {
		p.Descriptor = p.set.Name
	}
	if results == "" {
		p.scores = []score{{"retrieval_im_map", f.ImageMAP}, {"retrieval_patch_map", f.PatchMAP}}
	}
	p.metrics = func() ([]eval.Metric, error) { return f.Metrics(), nil }
	p.digests = func() (string, string) { return original.RetrievalDigests(b, clusters, rankings) }
	p.curves = func() []report.NamedCurve {
		images, places := original.RetrievalCurves(clusters, rankings)
		return []report.NamedCurve{{Name: "images", Curve: images, MAP: f.ImageMAP}, {Name: "patches", Curve: places, MAP: f.PatchMAPOverCluster}}
	}
	return p, nil
}
