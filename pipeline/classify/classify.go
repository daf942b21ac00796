// Package classify classifies all pairs of keypoints of a run's image pairs: every
// keypoint of image 1 with every keypoint of image k. It recomputes the distances from
// the cached features, counts them in bins and stores none.
//
// Areas under curves need only the number of negatives between two positives, and
// there are few positives. A first pass computes the distances of the positives, which
// become the edges of the bins, and a second pass counts all pairs. The figures of a
// scene are therefore exact. Over many scenes the edges are thinned, and the bins
// bound the error.
package classify

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"descbench/eval"
	"descbench/eval/binary"
	"descbench/eval/scope"
	"descbench/eval/stats"
	"descbench/pipeline/features"
	"descbench/pipeline/fold"
	"descbench/pipeline/plan"
)

const (
	// The bins of all scenes together take about this many bytes.
	binBytes = 200 << 20
	// Limits of the number of edges that all scenes share.
	fewestEdges, mostEdges = 1 << 12, 1 << 18
	// intervalEdges is the number of edges that suffices for intervals over scenes.
	intervalEdges = 1 << 12
	// seed is the seed of the intervals, the same as with nearest neighbours.
	seed = 1
)

// All classifies all pairs of keypoints of a run.
func All(ctx context.Context, c fold.Classification, opt plan.Options) (*fold.Classified, error) {
	tolerancePx, err := c.Tolerance()
	if err != nil {
		return nil, err
	}
	f := plan.Folder(c.Run)
	p, err := f.Plan()
	if err != nil {
		return nil, err
	}
	out := &fold.Classified{TolerancePx: tolerancePx}
	if out.Failed, err = fold.FailedScenes(f); err != nil {
		return nil, err
	}
	units, err := f.Units()
	if err != nil {
		return nil, err
	}
	if err := f.Check(p, opt); err != nil {
		return nil, err
	}
	stage, err := features.New(p, f, opt)
	if err != nil {
		return nil, err
	}
	defer stage.Close()
	var matches []*fold.Matches
	for i, d := range p.Config.Descriptors {
		if d.Matches != nil {
			out.LeftOut = append(out.LeftOut, d.Name+": imported matches, which have no distances of all pairs of keypoints; --pairs nearest decides by their scores")
			continue
		}
		s := &source{stage: stage, units: units, descriptor: d, tolerancePx: tolerancePx, asked: c}
		if err := s.findScenes(p.Scenes); err != nil {
			return nil, err
		}
		if len(s.scenes) == 0 {
			continue // all failed
		}
		pass := &pass{Classification: c, source: s, index: i, matches: c.NewMatches(d.Name, i, tolerancePx)}
		matches = append(matches, pass.matches)
		if err := pass.run(ctx, out); err != nil {
			return nil, fmt.Errorf("%s: %w", d.Name, err)
		}
	}
	if err := c.Masks.Check(); err != nil {
		return nil, plan.Fault(err)
	}
	out.Distribute(matches, "relevant pairs of keypoints")
	return out, nil
}

// findScenes selects the scenes that the descriptor has records of.
func (s *source) findScenes(scenes []string) error {
	for _, scene := range scenes {
		switch _, err := s.records(scene); {
		case errors.Is(err, fs.ErrNotExist): // failed, as the summary says
		case err != nil:
			return err
		default:
			s.scenes = append(s.scenes, scene)
		}
	}
	return nil
}

// A pass classifies the pairs of one descriptor.
type pass struct {
	fold.Classification
	*source
	index   int
	outside int64         // pairs of keypoints that masks leave out
	matches *fold.Matches // nil unless distributions are asked for

	edges  *binary.Edges            // of all scenes
	own    map[string][]float64     // by scene, distances of its positives
	counts []*binary.Bins           // by scene
	byK    map[string]*binary.Bins  // by scope of an image number
	scopes []scope.Scene[matched]   // of the matchers
	exact  map[string]binary.System // by scope of a scene
}

// matched holds the confusion matrices of one image pair, by matcher.
type matched []binary.Confusion

func (p *pass) run(ctx context.Context, out *fold.Classified) error {
	if err := p.findEdges(ctx); err != nil {
		return err
	}
	p.byK = make(map[string]*binary.Bins)
	p.exact = make(map[string]binary.System)
	for _, scene := range p.scenes {
		if err := p.countScene(ctx, scene); err != nil {
			return fmt.Errorf("%s: %w", scene, err)
		}
		delete(p.own, scene)
	}
	return p.conclude(ctx, out)
}

// findEdges computes the distances of all positives.
func (p *pass) findEdges(ctx context.Context) error {
	p.own = make(map[string][]float64)
	var all []float64
	if threshold, ok := p.At.Threshold(); ok {
		all = append(all, threshold)
	}
	for _, scene := range p.scenes {
		err := p.eachPair(ctx, scene, func(pair *pair) error {
			p.own[scene] = append(p.own[scene], pair.positives(p.Score)...)
			return nil
		})
		if err != nil {
			return fmt.Errorf("%s: %w", scene, err)
		}
		slices.Sort(p.own[scene])
		p.own[scene] = slices.Clip(slices.Compact(p.own[scene]))
		all = append(all, p.own[scene]...)
	}
	most := binBytes / (32 * len(p.scenes))
	p.edges = binary.NewEdges(all).Thin(min(max(most, fewestEdges), mostEdges))
	if threshold, ok := p.At.Threshold(); ok {
		p.edges = p.edges.With([]float64{threshold})
	}
	return nil
}

// countScene counts the pairs of one scene.
func (p *pass) countScene(ctx context.Context, scene string) error {
	fine := p.edges.With(p.own[scene])
	if fine.Len() == p.edges.Len() {
		fine = p.edges
	}
	whole := binary.NewBins(fine)
	matches := scope.Scene[matched]{Name: scene}
	if p.matches != nil {
		within, err := p.within(ctx, scene)
		if err != nil {
			return err
		}
		p.matches.Within = append(p.matches.Within, within...)
	}
	err := p.eachPair(ctx, scene, func(pair *pair) error {
		bins, err := pair.count(ctx, fine, p.Score, p.stage.Jobs())
		if err != nil {
			return err
		}
		positives, negatives := pair.population()
		var list matched
		for _, m := range p.Matchers {
			list = append(list, fold.Matched(m, pair.unmasked, p.tolerancePx, positives, negatives))
		}
		p.matches.Add(pair.unmasked, positives)
		p.outside += pair.outside
		matches.Parts = append(matches.Parts, scope.Part[matched]{K: pair.k, Tally: list})
		k := fmt.Sprintf("k:%d", pair.k)
		if p.byK[k] == nil {
			p.byK[k] = binary.NewBins(p.edges)
		}
		if err := p.byK[k].Merge(bins); err != nil {
			return err
		}
		return whole.Merge(bins)
	})
	if err != nil {
		return err
	}
	p.scopes = append(p.scopes, matches)
	p.exact["scene:"+scene] = binary.NewSystem(p.descriptor.Name, whole.Curve(), p.At)
	counts := binary.NewBins(p.edges)
	p.counts = append(p.counts, counts)
	return counts.Merge(whole)
}

// conclude adds the system and its decisions.
func (p *pass) conclude(ctx context.Context, out *fold.Classified) error {
	all := binary.NewBins(p.edges)
	for _, counts := range p.counts {
		if err := all.Merge(counts); err != nil {
			return err
		}
	}
	s := binary.NewSystem(p.descriptor.Name, all.Curve(), p.At)
	s.Index, s.Scenes, s.Outside = p.index, len(p.scenes), p.outside
	s.All = &binary.AllPairs{Undefined: all.Undefined()}
	s.All.ROCAUC, s.All.AveragePrecision = all.Uncertainties()
	if err := p.addIntervals(ctx, &s); err != nil {
		return err
	}
	out.Systems = append(out.Systems, s)
	for _, of := range scope.Of(p.scopes) {
		if of.Kind != scope.Everything && !slices.Contains(p.By, of.Kind) {
			continue
		}
		if s.At != nil && of.Kind != scope.OnePair {
			bins, err := p.binsOf(of)
			if err != nil {
				return err
			}
			d := p.Threshold(s, of.Name, bins.Curve())
			if exact, ok := p.exact[of.Name]; ok {
				d.ROCAUC, d.AveragePrecision = exact.Summary.ROCAUC, exact.Summary.AveragePrecision
			}
			out.Decisions = append(out.Decisions, d)
		}
		for i, m := range p.Matchers {
			var matrices []binary.Confusion
			for _, list := range of.Tallies() {
				matrices = append(matrices, list[i])
			}
			out.Decisions = append(out.Decisions, binary.NewDecision(s.Name, s.Index, m.String(), of.Name, fold.Sum(matrices)))
		}
	}
	return nil
}

// binsOf returns the bins of a scope other than a pair.
func (p *pass) binsOf(of scope.Scope[matched]) (*binary.Bins, error) {
	if bins := p.byK[of.Name]; bins != nil {
		return bins, nil
	}
	sum := binary.NewBins(p.edges)
	for _, scene := range of.Scenes {
		if err := sum.Merge(p.counts[slices.Index(p.scenes, scene.Name)]); err != nil {
			return nil, err
		}
	}
	return sum, nil
}

// addIntervals adds intervals over the scenes.
func (p *pass) addIntervals(ctx context.Context, s *binary.System) error {
	if p.Jobs == 0 {
		return nil
	}
	pool, err := binary.NewBinPool(p.counts, intervalEdges)
	if err != nil {
		return err
	}
	bootstrap := stats.NewBootstrap(seed, len(p.counts))
	if s.ROCAUC, err = bootstrap.Statistic(ctx, p.Jobs, pool.ROCAUC); err != nil {
		return err
	}
	if s.AveragePrecision, err = bootstrap.Statistic(ctx, p.Jobs, pool.AveragePrecision); err != nil {
		return err
	}
	if len(p.counts) < stats.EnoughScenes {
		s.Summary.Warnings = append(s.Summary.Warnings, eval.Warning{
			Kind: "few-scenes", Text: fmt.Sprintf("intervals over few scenes (%d) are optimistic", len(p.counts)),
		})
	}
	return nil
}
