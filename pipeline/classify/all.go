package classify

import (
	"context"
	"fmt"
	"slices"

	"descbench/eval/binary"
	"descbench/eval/fact"
	"descbench/eval/scope"
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
	f := plan.Folder(r.Run)
	units, out, err := r.open()
	if err != nil {
		return nil, err
	}
	p := units.Plan
	if n := p.Config.Evaluation.SharedTopK; n > 0 {
		return nil, &config.Error{File: r.Run, Key: "evaluation.shared_top_k", Msg: fmt.Sprintf("the run uses %d keypoints of each image, and all pairs would be those of all keypoints; use --pairs nearest", n)}
	}
	if err := f.Unchanged(p.Config); err != nil {
		return nil, err
	}
	stage, err := features.New(p, f, opt)
	if err != nil {
		return nil, err
	}
	defer stage.Close()
	for _, d := range p.Config.Descriptors {
		if d.Matches != nil {
			out.LeftOut = append(out.LeftOut, fact.New(fact.NoDistances).On(d.Name))
			continue
		}
		a := &allPairs{classifier: newClassifier(r, d.Name, out), stage: stage, units: units, descriptor: d}
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

	edges  *binary.Edges             // of all scenes
	own    map[string][]float64      // by scene, distances of its positives
	whole  *binary.Bins              // of all scenes
	counts []*binary.Bins            // by scene
	byK    map[string]*binary.Bins   // by scope of an image number
	exact  map[string]binary.Summary // by scene
}

func (a *allPairs) run(ctx context.Context, out *Result) error {
	if err := a.findEdges(ctx); err != nil {
		return err
	}
	a.whole = binary.NewBins(a.edges)
	a.byK = make(map[string]*binary.Bins)
	a.exact = make(map[string]binary.Summary)
	for _, scene := range a.names {
		if err := a.countScene(ctx, scene); err != nil {
			return fmt.Errorf("%s: %w", scene, err)
		}
		delete(a.own, scene)
	}
	return a.conclude(ctx, out, a)
}

// findEdges computes the distances of all positives.
func (a *allPairs) findEdges(ctx context.Context) error {
	a.own = make(map[string][]float64)
	var all []float64
	if threshold, ok := a.At.Threshold(); ok {
		all = append(all, threshold)
	}
	for _, scene := range a.names {
		err := a.eachPair(ctx, scene, func(pair *pair) error {
			a.own[scene] = append(a.own[scene], pair.positives(a.Score)...)
			return nil
		})
		if err != nil {
			return fmt.Errorf("%s: %w", scene, err)
		}
		slices.Sort(a.own[scene])
		a.own[scene] = slices.Clip(slices.Compact(a.own[scene]))
		all = append(all, a.own[scene]...)
	}
	if err := a.errPlaceless(); err != nil {
		return err
	}
	most := binBytes / (32 * len(a.names))
	a.edges = binary.NewEdges(all).Thin(min(max(most, fewestEdges), mostEdges))
	if threshold, ok := a.At.Threshold(); ok {
		a.edges = a.edges.With([]float64{threshold})
	}
	return nil
}

// countScene counts the pairs of one scene.
func (a *allPairs) countScene(ctx context.Context, scene string) error {
	fine := a.edges.With(a.own[scene])
	if fine.Len() == a.edges.Len() {
		fine = a.edges
	}
	whole := binary.NewBins(fine)
	err := a.eachPair(ctx, scene, func(pair *pair) error {
		bins, err := pair.count(ctx, fine, a.Score, a.stage.Jobs())
		if err != nil {
			return err
		}
		positives, negatives := pair.population()
		a.add(scene, pair.k, pair.queries, positives, negatives)
		k := fmt.Sprintf("k:%d", pair.k)
		if a.byK[k] == nil {
			a.byK[k] = binary.NewBins(a.edges)
		}
		if err := a.byK[k].Merge(bins); err != nil {
			return err
		}
		return whole.Merge(bins)
	})
	if err != nil {
		return err
	}
	a.exact[scene] = whole.Curve().Summary()
	counts := binary.NewBins(a.edges)
	a.counts = append(a.counts, counts)
	if err := counts.Merge(whole); err != nil {
		return err
	}
	return a.whole.Merge(whole)
}

// curve returns the curve of a scope other than a pair.
func (a *allPairs) curve(of scope.Scope[*pairTally]) (*binary.Curve, binary.Summary, error) {
	bins := a.whole
	switch of.Kind {
	case scope.Everything:
	case scope.OneImage:
		bins = a.byK[of.Name]
	case scope.OnePair:
		return nil, binary.Summary{}, nil
	default:
		bins = binary.NewBins(a.edges)
		for _, scene := range of.Scenes {
			if err := bins.Merge(a.counts[slices.Index(a.names, scene.Name)]); err != nil {
				return nil, binary.Summary{}, err
			}
		}
	}
	curve := bins.Curve()
	if of.Kind == scope.OneScene {
		return curve, a.exact[of.Scenes[0].Name], nil
	}
	return curve, curve.Summary(), nil
}

func (a *allPairs) describe(s *binary.System) {
	s.All = &binary.AllPairs{Undefined: a.whole.Undefined()}
	s.All.ROCAUC, s.All.AveragePrecision = a.whole.Uncertainties()
}

func (a *allPairs) resampler() (binary.AreaResampler, error) {
	return binary.NewBinResampler(a.counts, intervalEdges)
}
