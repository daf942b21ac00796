package fold

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"descbench/eval"
	"descbench/eval/binary"
	"descbench/eval/matching"
	"descbench/eval/scope"
	"descbench/eval/stats"
	"descbench/pipeline/masks"
	"descbench/pipeline/plan"
	"descbench/pipeline/report"
	"descbench/pipeline/store"
)

// A Classification says how to classify the pairs of keypoints of a folded run. A
// pair is positive if the keypoint of image K is within the tolerance of the
// projection of the keypoint of image 1.
type Classification struct {
	Run      string
	Set      []string // changes of the evaluation section: "evaluation.tolerance_px=1"
	At       binary.OperatingPoint
	Score    matching.Score     // what is compared with a threshold; "": the distance
	Matchers []matching.Matcher // further systems, which decide without a threshold
	By       []scope.Kind       // kinds of scopes to decide in, in addition to everything
	Jobs     int                // processor cores for intervals over scenes; 0: no intervals

	Masks         *masks.Folder // keypoints that it leaves out are in no pair; nil: none
	Distributions bool          // collect distributions of the matches of the first matcher
}

// Classified holds the systems of a run, one per descriptor.
type Classified struct {
	TolerancePx float64
	Systems     []binary.System // in the order of the records
	Decisions   []binary.Decision
	Failed      map[string]string
	LeftOut     []string // descriptors that cannot be classified, with the reasons

	Distributions []report.Distribution
}

// Tolerance returns the tolerance in px after the changes.
func (c Classification) Tolerance() (float64, error) {
	p, _, err := reevaluation(plan.Folder(c.Run), c.Set)
	if err != nil {
		return 0, err
	}
	return p.Config.Evaluation.TolerancePx, nil
}

// includes reports whether decisions in scopes of a kind are asked for.
func (c Classification) includes(kind scope.Kind) bool {
	return kind == scope.Everything || slices.Contains(c.By, kind)
}

// Rule returns the text of a threshold.
func (c Classification) Rule(threshold float64) string {
	name := c.Score
	if name == "" {
		name = matching.ByDistance
	}
	return string(name) + " up to " + strconv.FormatFloat(threshold, 'g', 6, 64)
}

// Nearest classifies each query with its nearest neighbour, from the records of the
// run. The areas have intervals over scenes from 1000 resamples.
func (c Classification) Nearest(ctx context.Context) (*Classified, error) {
	f := plan.Folder(c.Run)
	tolerancePx, err := c.Tolerance()
	if err != nil {
		return nil, err
	}
	out := &Classified{TolerancePx: tolerancePx}
	var current *labelledDescriptor
	var matches []*Matches
	done := make(map[string]bool)
	finish := func() error {
		if current == nil {
			return nil
		}
		if err := current.finishPair(); err != nil {
			return err
		}
		done[current.name] = true
		if current.unscored > 0 {
			out.LeftOut = append(out.LeftOut, fmt.Sprintf("%s: %d matches have no score or distance, which classification needs", current.name, current.unscored))
			return nil
		}
		matches = append(matches, current.matches)
		return current.systems(ctx, out)
	}
	err = store.ReadQueries(f.Queries(), func(batch []eval.Query) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		for i := range batch {
			q := &batch[i]
			if current == nil || current.name != q.Descriptor {
				if err := finish(); err != nil {
					return err
				}
				if done[q.Descriptor] {
					return plan.Faultf("%s: records of %s are out of order", f.Queries(), q.Descriptor)
				}
				current = &labelledDescriptor{Classification: c, name: strings.Clone(q.Descriptor), tolerancePx: tolerancePx}
				current.matches = c.NewMatches(current.name, len(out.Systems), tolerancePx)
			}
			if err := current.add(q); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, NotFolded(f, err)
	}
	if err := finish(); err != nil {
		return nil, err
	}
	if err := c.Masks.Check(); err != nil {
		return nil, plan.Fault(err)
	}
	if len(out.Systems) == 0 && out.LeftOut == nil {
		return nil, plan.Faultf("%s: has no query records", f.Queries())
	}
	out.Distribute(matches, "keypoints of image 1 with a relevant keypoint")
	out.Failed, err = FailedScenes(f)
	return out, err
}

// FailedScenes returns the failed scenes of a folded run with the reasons.
func FailedScenes(f plan.Folder) (map[string]string, error) {
	summary, err := store.ReadSummary(f.Summary())
	if err != nil {
		return nil, NotFolded(f, err)
	}
	return summary.FailedScenes, nil
}

// A labelledDescriptor collects the samples of a descriptor scene by scene.
type labelledDescriptor struct {
	Classification
	name           string
	tolerancePx    float64
	scenes         []scope.Scene[*labelledPair]
	queries        []eval.Query // of the current pair, the last one of the last scene
	withoutNearest int
	unscored       int // matches without a distance
	outside        int // queries that masks leave out
	matches        *Matches
}

// A labelledPair holds the samples of an image pair.
type labelledPair struct {
	samples binary.Samples
	matched []binary.Confusion // by matcher
}

func (d *labelledDescriptor) add(q *eval.Query) error {
	if n := len(d.queries); n > 0 && (d.queries[n-1].Scene != q.Scene || d.queries[n-1].K != q.K) {
		if err := d.finishPair(); err != nil {
			return err
		}
	}
	d.queries = append(d.queries, *q)
	d.queries[len(d.queries)-1].Descriptor = d.name
	return nil
}

// finishPair labels the queries of the current pair.
func (d *labelledDescriptor) finishPair() error {
	if len(d.queries) == 0 {
		return nil
	}
	scene, k := strings.Clone(d.queries[0].Scene), int(d.queries[0].K)
	from, to, err := d.MasksOf(scene, k)
	if err != nil {
		return err
	}
	queries := len(d.queries)
	d.queries = Unmasked(d.queries, from, to)
	d.outside += queries - len(d.queries)
	pair := &labelledPair{}
	for i := range d.queries {
		q := &d.queries[i]
		score, ok := d.Score.Nearest(q)
		if !ok {
			d.withoutNearest++
			continue
		}
		if math.IsNaN(score) {
			d.unscored++
			continue
		}
		pair.samples.Add(q.NearestError <= d.tolerancePx, score)
	}
	positives, negatives, relevant := 0, 0, int64(0)
	for i := range d.queries {
		if q := &d.queries[i]; q.Truth >= 0 && q.TruthError <= d.tolerancePx {
			relevant++
		}
		if q := &d.queries[i]; q.Nearest >= 0 && q.NearestError <= d.tolerancePx {
			positives++
		} else if q.Nearest >= 0 {
			negatives++
		}
	}
	for _, m := range d.Matchers {
		pair.matched = append(pair.matched, Matched(m, d.queries, d.tolerancePx, int64(positives), int64(negatives)))
	}
	d.matches.Add(d.queries, relevant)
	if n := len(d.scenes); n == 0 || d.scenes[n-1].Name != scene {
		d.scenes = append(d.scenes, scope.Scene[*labelledPair]{Name: scene})
	}
	last := &d.scenes[len(d.scenes)-1]
	last.Parts = append(last.Parts, scope.Part[*labelledPair]{K: k, Tally: pair})
	d.queries = d.queries[:0]
	return nil
}

// MasksOf returns the masks of image 1 and of image k of a scene, nil without masks.
func (c Classification) MasksOf(scene string, k int) (one, other *masks.Mask, err error) {
	if c.Masks == nil {
		return nil, nil, nil
	}
	record, err := plan.Folder(c.Run).ReadScene(scene)
	if err != nil {
		return nil, nil, plan.Recreate(err)
	}
	of := func(img int) (*masks.Mask, error) {
		return c.Masks.Of(scene, img, record.Images[img-1].Width, record.Images[img-1].Height)
	}
	if one, err = of(1); err != nil {
		return nil, nil, err
	}
	other, err = of(k)
	return one, other, err
}

// Unmasked returns the queries whose keypoint and whose nearest neighbour the masks of
// their images keep.
func Unmasked(queries []eval.Query, one, other *masks.Mask) []eval.Query {
	if one == nil && other == nil {
		return queries
	}
	return slices.DeleteFunc(slices.Clone(queries), func(q eval.Query) bool {
		return !one.Keeps(q.X, q.Y) || q.Nearest >= 0 && !other.Keeps(q.NearestX, q.NearestY)
	})
}

// Matched returns the confusion matrix of a matcher's decisions about a population of
// pairs that contains every query with its nearest neighbour.
func Matched(m matching.Matcher, queries []eval.Query, tolerancePx float64, positives, negatives int64) binary.Confusion {
	var c binary.Confusion
	for _, i := range m.Match(queries) {
		if queries[i].NearestError <= tolerancePx {
			c.TP++
		} else {
			c.FP++
		}
	}
	c.FN, c.TN = positives-c.TP, negatives-c.FP
	return c
}

// Sum adds up confusion matrices.
func Sum(matrices []binary.Confusion) binary.Confusion {
	var sum binary.Confusion
	for _, c := range matrices {
		sum.TP, sum.FP, sum.FN, sum.TN = sum.TP+c.TP, sum.FP+c.FP, sum.FN+c.FN, sum.TN+c.TN
	}
	return sum
}

// systems adds the system of the descriptor and its decisions.
func (d *labelledDescriptor) systems(ctx context.Context, out *Classified) error {
	s, err := d.system(ctx)
	if err != nil {
		return err
	}
	s.Index = len(out.Systems)
	out.Systems = append(out.Systems, s)
	for _, of := range scope.Of(d.scenes) {
		if !d.includes(of.Kind) {
			continue
		}
		if s.At != nil {
			curve, err := pooled(of.Tallies()).Curve()
			if err != nil {
				return plan.Faultf("%s: %w", d.name, err)
			}
			out.Decisions = append(out.Decisions, d.Threshold(s, of.Name, curve))
		}
		for i, m := range d.Matchers {
			var matrices []binary.Confusion
			for _, pair := range of.Tallies() {
				matrices = append(matrices, pair.matched[i])
			}
			out.Decisions = append(out.Decisions, binary.NewDecision(d.name, s.Index, m.String(), of.Name, Sum(matrices)))
		}
	}
	return nil
}

// Threshold returns what a system decides in one scope at its operating point.
func (c Classification) Threshold(s binary.System, scope string, curve *binary.Curve) binary.Decision {
	d := binary.NewDecision(s.Name, s.Index, c.Rule(s.At.Threshold), scope, curve.At(s.At.Threshold))
	summary := curve.Summary()
	d.ROCAUC, d.AveragePrecision = summary.ROCAUC, summary.AveragePrecision
	return d
}

func pooled(pairs []*labelledPair) *binary.Samples {
	all := &binary.Samples{}
	for _, p := range pairs {
		all.Merge(&p.samples)
	}
	return all
}

func (d *labelledDescriptor) system(ctx context.Context) (binary.System, error) {
	all := &binary.Samples{}
	curves := make([]*binary.Curve, len(d.scenes))
	for i, scene := range d.scenes {
		samples := pooled(scope.Scope[*labelledPair]{Scenes: []scope.Scene[*labelledPair]{scene}}.Tallies())
		all.Merge(samples)
		if d.Jobs == 0 {
			continue
		}
		var err error
		if curves[i], err = samples.Curve(); err != nil {
			return binary.System{}, plan.Faultf("%s: %w", d.name, err)
		}
	}
	curve, err := all.Curve()
	if err != nil {
		return binary.System{}, plan.Faultf("%s: %w", d.name, err)
	}
	s := binary.NewSystem(d.name, curve, d.At)
	s.Scenes, s.WithoutNearest, s.Outside = len(d.scenes), d.withoutNearest, int64(d.outside)
	if d.Jobs == 0 {
		return s, nil
	}
	s.ROCAUC, s.AveragePrecision, err = areaIntervals(ctx, d.Jobs, binary.NewPool(curves), len(curves))
	if len(curves) < stats.EnoughScenes {
		s.Summary.Warnings = append(s.Summary.Warnings, eval.Warning{
			Kind: "few-scenes",
			Text: fmt.Sprintf("intervals over few scenes (%d) are optimistic", len(curves)),
		})
	}
	return s, err
}
