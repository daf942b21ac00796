// Package classify decides about pairs of keypoints by thresholds and by matchers, and
// about distance,label lines of files.
//
// Nearest takes every query of a run with its nearest neighbour, from the records. All
// takes every keypoint of image 1 with every keypoint of image k. It recomputes the
// distances from the cached features, counts them in bins and stores none.
//
// Areas under curves need only the number of negatives between two positives, and
// there are few positives. A first pass over all pairs computes the distances of the
// positives, which become the edges of the bins, and a second pass counts all pairs. The
// figures of a scene are therefore exact. Over many scenes the edges are thinned, and the
// bins bound the error.
package classify

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"descbench/eval/binary"
	"descbench/eval/fact"
	"descbench/eval/matching"
	"descbench/eval/record"
	"descbench/eval/scope"
	"descbench/eval/stats"
	"descbench/pipeline/fold"
	"descbench/pipeline/plan"
)

// A Request says how to classify the pairs of keypoints of a folded run. A pair is
// positive if the keypoint of image K is within the tolerance of the projection of the
// keypoint of image 1.
type Request struct {
	Run      string
	Set      []string // changes of the evaluation section: "evaluation.tolerance_px=1"
	At       binary.OperatingPoint
	Score    matching.Score     // what is compared with a threshold; "": the distance
	Matchers []matching.Matcher // further systems, which decide without a threshold
	By       []scope.Kind       // kinds of scopes to decide in, in addition to everything
	Jobs     int                // processor cores for intervals over scenes; 0: no intervals
}

// Decide sets by what is decided, as flags name it: the score, and matchers.
func (r *Request) Decide(score string, matchers []string) error {
	r.Score = matching.Score(score)
	for _, text := range matchers {
		m, err := matching.ParseMatcher(text)
		if err != nil {
			return fmt.Errorf("--matcher: %w", err)
		}
		r.Matchers = append(r.Matchers, m)
	}
	return nil
}

// A Result holds the systems of a run, one per descriptor.
type Result struct {
	TolerancePx float64
	Systems     []binary.System // in the order of the config
	Decisions   []binary.Decision
	LeftOut     []fact.Fact // why descriptors cannot be classified
}

// open returns the units of the run and an empty result.
func (r Request) open() (*plan.Units, *Result, error) {
	f := plan.Folder(r.Run)
	changed, _, err := fold.Changed(f, r.Set)
	if err != nil {
		return nil, nil, err
	}
	p, err := f.Plan()
	if err != nil {
		return nil, nil, err
	}
	units, err := f.Units(p)
	if err == nil {
		err = units.Evaluated()
	}
	return units, &Result{TolerancePx: changed.Config.Evaluation.TolerancePx}, err
}

// A classifier collects what is decided about the pairs of keypoints of a descriptor.
type classifier struct {
	Request
	name        string
	tolerancePx float64
	scenes      []scope.Scene[*pairTally] // in the order of the plan
	places      int                       // image pairs of which it is known where points lie
	placeless   string                    // scene of another image pair
}

// A pairTally holds what is known of an image pair.
type pairTally struct {
	samples binary.Samples     // of Nearest; All has bins
	matched []binary.Confusion // by matcher
}

func newClassifier(r Request, descriptor string, out *Result) classifier {
	return classifier{Request: r, name: descriptor, tolerancePx: out.TolerancePx}
}

// add enters what the matchers decide about a population of samples of an image pair.
// The population contains the queries with their nearest neighbours.
func (c *classifier) add(scene string, k int, queries []record.Query, positives, negatives int64) *pairTally {
	t := &pairTally{}
	for _, m := range c.Matchers {
		var d binary.Confusion
		for _, i := range m.Match(queries) {
			switch q := &queries[i]; {
			case q.Unknown():
			case q.NearestError <= c.tolerancePx:
				d.TP++
			default:
				d.FP++
			}
		}
		d.FN, d.TN = positives-d.TP, negatives-d.FP
		t.matched = append(t.matched, d)
	}
	if n := len(c.scenes); n == 0 || c.scenes[n-1].Name != scene {
		c.scenes = append(c.scenes, scope.Scene[*pairTally]{Name: scene})
	}
	last := &c.scenes[len(c.scenes)-1]
	last.Parts = append(last.Parts, scope.Part[*pairTally]{K: k, Tally: t})
	return t
}

// A population is what a threshold divides.
type population interface {
	// curve returns the curve of a scope and its metrics; nil if its samples are not
	// counted on their own.
	curve(of scope.Scope[*pairTally]) (*binary.Curve, binary.Summary, error)
	// describe adds to the system of everything what is particular to the population.
	describe(*binary.System)
	// resampler returns what intervals over scenes are computed from.
	resampler() (binary.AreaResampler, error)
}

// conclude adds the system of the descriptor and its decisions.
func (c *classifier) conclude(ctx context.Context, out *Result, from population) error {
	var s binary.System
	for _, of := range scope.Of(c.scenes) {
		if of.Kind != scope.Everything && !slices.Contains(c.By, of.Kind) {
			continue
		}
		curve, summary, err := from.curve(of)
		if err != nil {
			return err
		}
		if of.Kind == scope.Everything {
			s = binary.NewSystem(c.name, curve, c.At)
			s.Index, s.Scenes = len(out.Systems), len(c.scenes)
			if c.Score == matching.ByRatio {
				s.Limits = "distance ratios"
			}
			from.describe(&s)
		}
		if s.At != nil && curve != nil {
			d := binary.NewDecision(c.name, s.Index, c.rule(s.At.Threshold), of.Name, curve.At(s.At.Threshold))
			d.ROCAUC, d.AveragePrecision = summary.ROCAUC, summary.AveragePrecision
			out.Decisions = append(out.Decisions, d)
		}
		for i, m := range c.Matchers {
			sum := binary.Confusion{Threshold: math.NaN()}
			for _, t := range of.Tallies() {
				d := t.matched[i]
				sum.TP, sum.FP, sum.FN, sum.TN = sum.TP+d.TP, sum.FP+d.FP, sum.FN+d.FN, sum.TN+d.TN
			}
			out.Decisions = append(out.Decisions, binary.NewDecision(c.name, s.Index, m.String(), of.Name, sum))
		}
	}
	if c.Jobs > 0 {
		resampler, err := from.resampler()
		if err != nil {
			return err
		}
		if s.ROCAUC, s.AveragePrecision, err = binary.Intervals(ctx, c.Jobs, resampler, scope.Clusters(c.scenes)); err != nil {
			return err
		}
		if n := len(c.scenes); n < stats.ScenesNeeded(1) {
			s.Summary.Facts = append(s.Summary.Facts, fact.New(fact.FewScenes).With("n", float64(n)))
		}
	}
	out.Systems = append(out.Systems, s)
	return nil
}

// rule returns the text of a threshold.
func (c *classifier) rule(threshold float64) string {
	return string(cmp.Or(c.Score, matching.ByDistance)) + " up to " + strconv.FormatFloat(threshold, 'g', 6, 64)
}
