package classify

import (
	"context"
	"fmt"

	"descbench/eval/binary"
	"descbench/eval/fact"
	"descbench/pipeline/config"
	"descbench/pipeline/features"
	"descbench/pipeline/plan"
)

const (
	// The bins of all scenes together take about this many bytes.
	binBytes = 200 << 20
	// Limits of the number of edges that all scenes share.
	fewestEdges, mostEdges = 1 << 12, 1 << 18
	// intervalEdges is the number of edges that suffices for intervals over scenes.
	intervalEdges = 1 << 12
)

// All classifies all pairs of keypoints of a run.
func All(ctx context.Context, r Request, opt plan.Options) (*Result, error) {
	units, err := r.open()
	if err != nil {
		return nil, err
	}
	f, p := r.Systems[0].Run.RunFolder(), units.Plan
	if n := p.Config.Evaluation.SharedTopK; n > 0 {
		return nil, &config.Error{File: string(f), Key: "evaluation.shared_top_k", Msg: fmt.Sprintf("the run uses %d keypoints of each image, and all pairs would be those of all keypoints; use --pairs nearest", n)}
	}
	if err := f.Unchanged(p.Config); err != nil {
		return nil, err
	}
	stage, err := features.New(p, f, opt)
	if err != nil {
		return nil, err
	}
	defer stage.Close()
	out := &Result{}
	for _, s := range r.Systems {
		d := *p.Config.Named(s.Descriptor)
		if d.Matches != nil {
			out.LeftOut = append(out.LeftOut, fact.New(fact.NoDistances).On(s.Name))
			continue
		}
		a := &allPairs{classifier: newClassifier(r, s), stage: stage, units: units, descriptor: d}
		for _, scene := range p.Scenes {
			if units.Has(units.Eval(d.Name), scene) {
				a.names = append(a.names, scene)
			}
		}
		if len(a.names) == 0 {
			continue // all failed
		}
		if err := a.run(ctx, out); err != nil {
			return nil, fmt.Errorf("%s: %w", d.Name, err)
		}
	}
	return out, nil
}

// allPairs are all pairs of keypoints of a descriptor, from its records and features.
type allPairs struct {
	classifier
	stage      *features.Stage
	units      *plan.Units
	descriptor config.Descriptor
	names      []string // of the scenes that have records

	edges  *binary.Edges  // of all scenes
	counts []*binary.Bins // by scene
}

func (a *allPairs) run(ctx context.Context, out *Result) error {
	if err := a.findEdges(ctx); err != nil {
		return err
	}
	whole := binary.NewBins(a.edges)
	for _, scene := range a.names {
		counts := binary.NewBins(a.edges)
		err := a.eachPair(ctx, scene, func(pair *pair) error {
			bins, err := pair.count(ctx, a.edges, a.stage.Jobs())
			if err != nil {
				return err
			}
			a.add(scene, pair.queries)
			counts.Merge(bins)
			return nil
		})
		if err != nil {
			return fmt.Errorf("%s: %w", scene, err)
		}
		whole.Merge(counts)
		a.counts = append(a.counts, counts)
	}
	if len(a.scenes) == 0 {
		out.LeftOut = append(out.LeftOut, fact.New(fact.NoPlaces).On(a.system.Name))
		return nil
	}
	s, err := a.conclude(ctx, out, whole.Curve(), binary.NewBinResampler(a.counts, intervalEdges))
	if err != nil {
		return err
	}
	s.All = &binary.AllPairs{Undefined: whole.Undefined()}
	s.All.ROCAUCError, s.All.AveragePrecisionError = whole.Errors()
	if n := s.All.Undefined; n > 0 {
		s.Summary.Facts = append(s.Summary.Facts, fact.New(fact.InvalidPairs).With("n", float64(n)))
	}
	if auc, ap := s.All.ROCAUCError, s.All.AveragePrecisionError; max(auc, ap) > 0 {
		s.Summary.Facts = append(s.Summary.Facts, fact.New(fact.BinnedAreas).With("roc_auc", auc).With("ap", ap))
	}
	return nil
}

// findEdges computes the distances of all positives.
func (a *allPairs) findEdges(ctx context.Context) error {
	var all []float64
	if threshold, ok := a.At.Threshold(); ok {
		all = append(all, threshold)
	}
	for _, scene := range a.names {
		err := a.eachPair(ctx, scene, func(pair *pair) error {
			all = append(all, pair.positives()...)
			return nil
		})
		if err != nil {
			return fmt.Errorf("%s: %w", scene, err)
		}
	}
	most := binBytes / (32 * len(a.names))
	a.edges = binary.NewEdges(all).Thin(min(max(most, fewestEdges), mostEdges))
	if threshold, ok := a.At.Threshold(); ok {
		a.edges = a.edges.With([]float64{threshold})
	}
	return nil
}
