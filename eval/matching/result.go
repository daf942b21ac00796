package matching

import (
	"fmt"
	"math"
	"strconv"

	"descbench/eval"
)

// A Result is every figure of matching quality of one descriptor.
type Result struct {
	Descriptor string
	Metrics    []eval.Metric // in a fixed order of scopes and names
	Sweeps     []Sweep       // the ratio test, in the order of the scopes
	Warnings   []eval.Warning
}

// homographyLimitsPx are those of the accuracy of homographies and of its area.
var homographyLimitsPx = [...]float64{1, 3, 5}

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
//     of each scene once;
//   - <estimator>_homography_accuracy@1, @3, @5 and _homography_auc@1, @3, @5: pairs.
func (a *Accumulator) Result(subsets ...Subset) Result {
	scenes := a.evaluated()
	r := Result{Descriptor: a.descriptor, Warnings: warnings(scenes)}
	for _, s := range scopes(scenes, subsets) {
		sweep := s.sweep()
		r.Sweeps = append(r.Sweeps, sweep)
		r.Metrics = append(r.Metrics, s.metrics(sweep)...)
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

// metrics returns the figures of the scope that are defined, in fixed order.
func (s scope) metrics(sweep Sweep) []eval.Metric {
	var out []eval.Metric
	add := func(name string, value float64, n int) {
		if !math.IsNaN(value) {
			out = append(out, eval.Metric{Scope: s.name, Name: name, Value: value, Low: math.NaN(), High: math.NaN(), N: n})
		}
	}
	pairs := s.pairs()
	addMean := func(name string, figure func(*pairTally) float64) {
		value, n := overPairs(pairs, figure)
		add(name, value, n)
	}
	queries, matches, inliers := 0, 0, 0
	for _, p := range pairs {
		queries += int(p.pair.Keypoints1)
		matches += p.matches
		inliers += p.inliers
	}

	for px := 1; px <= maxErrorPx; px++ {
		addMean("mma@"+strconv.Itoa(px), func(p *pairTally) float64 { return p.accuracy(px) })
	}
	addMean("matching_score", (*pairTally).matchingScore)
	within := "@" + strconv.Itoa(TolerancePx)
	addMean("repeatability"+within, func(p *pairTally) float64 { return p.facts.Repeatability.Share() })
	addMean("repeatability_one_to_one"+within, func(p *pairTally) float64 { return p.facts.Repeatability.OneToOneShare() })
	addMean("localization_error", func(p *pairTally) float64 { return p.facts.Repeatability.LocalizationErrorPx() })
	lowe := sweep.Points[loweRatio-lowestRatio]
	add(fmt.Sprintf("ratio_precision@%.2f", lowe.Ratio), lowe.Precision, lowe.Accepted)
	add(fmt.Sprintf("ratio_recall@%.2f", lowe.Ratio), lowe.Recall, sweep.Correspondences)
	add("mutual_matches_per_pair", mean(float64(matches), len(pairs)), len(pairs))
	add("total_mutual_matches", float64(matches), queries)
	add("inlier_share", mean(float64(inliers), matches), matches)
	s.addImages(add)
	addHomographies(pairs, add)
	return out
}

// overPairs returns the mean of a figure over the pairs that have it, and how
// many have.
func overPairs(pairs []*pairTally, figure func(*pairTally) float64) (value float64, n int) {
	sum := 0.0
	for _, p := range pairs {
		if v := figure(p); !math.IsNaN(v) {
			sum += v
			n++
		}
	}
	return mean(sum, n), n
}

// addImages adds what describes single images.
func (s scope) addImages(add func(name string, value float64, n int)) {
	images, keypoints, spread, spreads := 0, 0, 0.0, 0
	image := func(n int32, s float64) {
		images++
		keypoints += int(n)
		if !math.IsNaN(s) {
			spread += s
			spreads++
		}
	}
	for _, scene := range s.scenes {
		first := scene.pairs[0]
		image(first.pair.Keypoints1, first.facts.Spread1)
		for _, p := range scene.pairs {
			image(p.pair.KeypointsK, p.facts.SpreadK)
		}
	}
	add("keypoints_per_image", mean(float64(keypoints), images), images)
	add("keypoint_spread", mean(spread, spreads), spreads)
}

func addHomographies(pairs []*pairTally, add func(name string, value float64, n int)) {
	if len(pairs) == 0 {
		return
	}
	for i, estimator := range pairs[0].estimators() {
		errors := make([]float64, len(pairs))
		for j, p := range pairs {
			errors[j] = p.facts.Corners[i].Px
		}
		for _, limit := range homographyLimitsPx {
			add(fmt.Sprintf("%s_homography_accuracy@%g", estimator, limit), HomographyAccuracy(errors, limit), len(pairs))
		}
		for _, limit := range homographyLimitsPx {
			add(fmt.Sprintf("%s_homography_auc@%g", estimator, limit), HomographyAUC(errors, limit), len(pairs))
		}
	}
}

// warnings returns what a reader of the figures must know about the records.
func warnings(scenes []sceneTally) []eval.Warning {
	pairs := scope{scenes: scenes}.pairs()
	without := 0
	for _, p := range pairs {
		if p.matches == 0 {
			without++
		}
	}
	if without == 0 {
		return nil
	}
	return []eval.Warning{{
		Kind: "no-matches",
		Text: fmt.Sprintf("%d of %d image pairs have no mutual match; they count as 0 in mma", without, len(pairs)),
	}}
}
