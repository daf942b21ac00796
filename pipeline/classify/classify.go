// Package classify decides about pairs of keypoints by thresholds and by matchers, and
// about distance,label lines of files.
//
// Nearest takes every query of a run with its nearest neighbour, from the records. All
// takes every keypoint of image 1 with every keypoint of image k. It recomputes the
// distances from the cached features, counts them in bins and stores none.
//
// Areas under curves need only the number of negatives between two positives, and
// there are few positives. A first pass over all pairs computes the distances of the
// positives, which become the edges of the bins, and a second pass counts all pairs. Of very
// many positives, the edges are thinned, and the bins bound the error.
package classify

import (
	"context"
	"fmt"
	"math"
	"slices"

	"descbench/eval/binary"
	"descbench/eval/fact"
	"descbench/eval/matching"
	"descbench/eval/record"
	"descbench/eval/scope"
	"descbench/eval/spelling"
	"descbench/eval/stats"
	"descbench/pipeline/fold"
	"descbench/pipeline/plan"
)

// A Request says how to classify the pairs of keypoints of a folded run. A pair is
// positive if the keypoint of image K is within the tolerance of the projection of the
// keypoint of image 1.
type Request struct {
	Systems  []*fold.System // of one run, whose evaluation has the tolerance
	At       binary.OperatingPoint
	Matchers []matching.Matcher // further systems, which decide without a threshold
	Jobs     int                // processor cores for intervals over scenes; 0: no intervals
}

// Decide sets the matchers that flags name.
func (r *Request) Decide(matchers []string) error {
	for _, text := range matchers {
		m, err := matching.ParseMatcher(text)
		if err != nil {
			return fmt.Errorf("--matcher: %w", err)
		}
		r.Matchers = append(r.Matchers, m)
	}
	return nil
}

// A Result holds the systems of a run that have samples, with their names and indexes there.
type Result struct {
	Systems   []binary.System
	Decisions []binary.Decision
	LeftOut   []fact.Fact // why systems cannot be classified
}

// open returns the units of the run.
func (r Request) open() (*plan.Units, error) {
	f := r.Systems[0].Run.RunFolder()
	p, err := f.Plan()
	if err != nil {
		return nil, err
	}
	units, err := f.Units(p)
	if err == nil {
		err = units.Evaluated()
	}
	return units, err
}

// A classifier collects what is decided about the pairs of keypoints of a descriptor.
type classifier struct {
	Request
	system      *fold.System
	tolerancePx float64
	scenes      []string           // in the order of the plan
	matched     []binary.Confusion // by matcher, of the samples that it matches
}

func newClassifier(r Request, s *fold.System) classifier {
	tolerancePx := s.Run.Config.Evaluation.TolerancePx
	return classifier{Request: r, system: s, tolerancePx: tolerancePx, matched: make([]binary.Confusion, len(r.Matchers))}
}

// add enters the matches among the queries of an image pair, which are samples with their nearest neighbours.
func (c *classifier) add(scene string, queries []record.Query) {
	for i, m := range c.Matchers {
		for _, row := range m.Match(queries) {
			switch q := &queries[row]; {
			case q.Unknown():
			case q.NearestError <= c.tolerancePx:
				c.matched[i].TP++
			default:
				c.matched[i].FP++
			}
		}
	}
	if !slices.Contains(c.scenes, scene) {
		c.scenes = append(c.scenes, scene)
	}
}

// conclude adds the system of the descriptor, whose samples have a curve, and its decisions. The
// areas have intervals from the resampler.
func (c *classifier) conclude(ctx context.Context, out *Result, curve *binary.Curve, resampler binary.AreaResampler) (*binary.System, error) {
	s := binary.NewSystem(c.system.Name, curve, c.At)
	s.Index, s.Scenes = c.system.Index, len(c.scenes)
	if d, has := s.Decision(); has {
		out.Decisions = append(out.Decisions, d)
	}
	for i, m := range c.Matchers { // which say No to all other samples
		counts := c.matched[i]
		counts.FN, counts.TN, counts.Threshold = s.Summary.Positives-counts.TP, s.Summary.Negatives-counts.FP, math.NaN()
		out.Decisions = append(out.Decisions, binary.Decision{System: s.Name, Index: s.Index, Rule: m.String(), Counts: counts})
	}
	if c.Jobs > 0 {
		var err error
		groups := spelling.Words(c.scenes, scope.Group)
		if s.ROCAUC, s.AveragePrecision, err = binary.Intervals(ctx, c.Jobs, resampler, stats.Cluster(groups)); err != nil {
			return nil, err
		}
		if n := len(c.scenes); n < stats.ScenesNeeded(1) {
			s.Summary.Facts = append(s.Summary.Facts, fact.New(fact.FewScenes).With("n", float64(n)))
		}
	}
	out.Systems = append(out.Systems, s)
	return &out.Systems[len(out.Systems)-1], nil
}
