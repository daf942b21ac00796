package matching

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"descbench/eval"
	"descbench/eval/stats"
)

// A Result is every figure of matching quality of one descriptor.
type Result struct {
	Descriptor string
	Metrics    []eval.Metric // in a fixed order of scopes and names
	Sweeps     []Sweep       // the ratio test, in the order of the scopes
	Warnings   []eval.Warning
}

// Result returns every figure of the pairs so far, also for the given subsets,
// whose scopes are subset:<name> and subset:<name>/<category>.
//
// Names, and what each is a mean over:
//   - mma@1 … mma@10: pairs; one without a match counts as 0;
//   - matching_score, repeatability@3, repeatability_one_to_one@3: pairs with
//     keypoints in the shared region; localization_error: pairs with a repeated
//     keypoint;
//   - ratio_precision@0.80, ratio_recall@0.80: accepted queries, correspondences;
//   - mutual_matches_per_pair: pairs; inlier_share: matches; total_mutual_matches
//     counts queries;
//   - keypoints_per_image: images; keypoint_spread: images with keypoints, image 1
//     of each scene once; bytes_per_descriptor: pairs;
//   - <estimator>_homography_accuracy@1, @3, @5 and _homography_auc@1, @3, @5: pairs.
//
// Means over at least two scenes have an interval of 95 % by the cluster
// bootstrap over scenes, of the ratio of the scenes' sums; so have areas under
// curves, from fewer resamples.
func (a *Accumulator) Result(subsets ...Subset) Result {
	scenes := a.evaluated()
	r := Result{Descriptor: a.descriptor, Warnings: warnings(scenes)}
	bootstraps := stats.NewBootstraps()
	for _, s := range scopes(scenes, subsets) {
		sweep := s.sweep()
		r.Sweeps = append(r.Sweeps, sweep)
		l := metricList{scope: s, bootstraps: bootstraps}
		l.figures(sweep)
		r.Metrics = append(r.Metrics, l.list...)
	}
	return r
}

func (s scope) sweep() Sweep {
	var t ratioTally
	for _, p := range s.pairs() {
		t.add(&p.ratios)
	}
	return Sweep{Scope: s.name, Correspondences: int(t.correspondences), Points: t.points()}
}

// figures adds the figures of the scope that are defined, in fixed order.
func (l *metricList) figures(sweep Sweep) {
	for px := 1; px <= maxErrorPx; px++ {
		l.overPairs("mma@"+strconv.Itoa(px), func(p *pairTally) float64 { return p.accuracy(px) })
	}
	l.overPairs("matching_score", (*pairTally).matchingScore)
	within := "@" + strconv.Itoa(TolerancePx)
	l.overPairs("repeatability"+within, func(p *pairTally) float64 { return p.facts.Repeatability.Share() })
	l.overPairs("repeatability_one_to_one"+within, func(p *pairTally) float64 { return p.facts.Repeatability.OneToOneShare() })
	l.overPairs("localization_error", func(p *pairTally) float64 { return p.facts.Repeatability.LocalizationErrorPx() })
	l.ratioTest(loweRatio-lowestRatio, sweep)
	l.overPairs("mutual_matches_per_pair", func(p *pairTally) float64 { return float64(p.matches) })
	l.total("total_mutual_matches", func(p *pairTally) (sum float64, n int) { return float64(p.matches), int(p.pair.Keypoints1) })
	l.ratio("inlier_share", func(p *pairTally) (sum float64, n int) { return float64(p.inliers), p.matches })
	l.images("keypoints_per_image", func(keypoints int32, _ float64) float64 { return float64(keypoints) })
	l.images("keypoint_spread", func(_ int32, spread float64) float64 { return spread })
	l.overPairs("bytes_per_descriptor", func(p *pairTally) float64 { return float64(p.pair.RowBytes) })
	l.homographies()
}

// warnings returns what a reader of the figures must know about the records.
func warnings(scenes []sceneTally) []eval.Warning {
	var out []eval.Warning
	warn := func(kind, format string, args ...any) {
		out = append(out, eval.Warning{Kind: kind, Text: fmt.Sprintf(format, args...)})
	}
	pairs := scope{scenes: scenes}.pairs()
	without := 0
	failed := make(map[string]int)
	for _, p := range pairs {
		if p.matches == 0 {
			without++
		}
		for _, e := range p.facts.Corners {
			if math.IsInf(e.Px, 1) {
				failed[e.Estimator]++
			}
		}
	}
	if without > 0 {
		warn("no-matches", "%d of %d image pairs have no mutual match; they count as 0 in mma", without, len(pairs))
	}
	for _, estimator := range slices.Sorted(maps.Keys(failed)) {
		warn("failed-estimates", "%s found no homography for %d of %d image pairs; they count as an infinite corner error", estimator, failed[estimator], len(pairs))
	}
	return out
}
