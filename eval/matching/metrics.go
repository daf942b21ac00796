package matching

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"descbench/eval/record"
	"descbench/eval/scope"
	"descbench/eval/stats"
)

// medianLimitsPx are the limits of the median precision of matches.
var medianLimitsPx = [...]int{1, 3, 5}

// symmetricLimitsPx are the limits of the symmetric precision, whose median is of the first two.
var symmetricLimitsPx = [...]int{1, 3, 5}

// homographyLimitsPx are the limits of homography accuracy and homography AUC.
var homographyLimitsPx = [...]float64{1, 3, 5, 7, 10}

// poseLimitsDegrees are those of pose accuracy and pose AUC.
var poseLimitsDegrees = [...]float64{5, 10, 20}

// maaLimitDegrees is the largest limit of the mean average accuracy of poses, the mean over the
// limits 1, 2, … of the share of poses with a smaller error. An error of the largest limit itself
// counts, as numpy.histogram counts in compute_qt_auc of ubc-vision/image-matching-benchmark,
// commit e3c1cbd6.
const maaLimitDegrees = 10

// A sceneTally is one scene or some of its pairs.
type sceneTally = scope.Scene[*pairTally]

// figures adds the metrics of one scope to a list.
type figures struct {
	scope.Scope[*pairTally]
	list    *scope.List
	matcher Matcher
	depth   bool // some pairs of all have depth
}

// add adds the defined metrics in a fixed order.
func (f figures) add() {
	for px := 1; px <= maxErrorPx; px++ {
		f.overPairs("mma@"+strconv.Itoa(px), func(p *pairTally) float64 { return p.accuracy(px) })
	}
	imported := f.imported()
	within := "@" + strconv.Itoa(TolerancePx)
	if imported != record.ImportedPoints {
		f.overDetected("matching_score", (*pairTally).matchingScore)
		f.overDetected("repeatability"+within, (*pairTally).repeatability)
		f.overDetected("repeatability_one_to_one"+within, (*pairTally).oneToOneRepeatability)
		f.overPairs("localization_error", (*pairTally).localizationErrorPx)
	}
	f.knownShare()
	f.ratioTest()
	if f.matcher == Mutual {
		f.mutual()
	}
	f.ratio("inlier_share", func(p *pairTally) scope.Fraction {
		if p.placeless {
			return scope.Fraction{}
		}
		return scope.Fraction{Sum: float64(p.inliers), N: p.judged}
	})
	if imported != record.ImportedPoints {
		f.images("keypoints_per_image", func(keypoints int32, _ float64) float64 { return float64(keypoints) })
		f.images("keypoint_spread", func(_ int32, spread float64) float64 { return spread })
	}
	if imported == "" {
		f.overPairs("bytes_per_descriptor", func(p *pairTally) float64 { return float64(p.pair.RowBytes) })
	}
	f.homographies(homographyLimitsPx[:])
	f.poses(poseLimitsDegrees[:], estimates.poseErrors)
	f.epipolar()
	f.overPairs("matches_per_pair", func(p *pairTally) float64 { return float64(p.matches) })
	for _, px := range medianLimitsPx {
		f.median("match_precision_median@"+strconv.Itoa(px), func(p *pairTally) float64 { return p.accuracy(px) })
	}
	f.median("matches_per_pair_median", func(p *pairTally) float64 { return float64(p.matches) })
	for i, px := range symmetricLimitsPx[:2] {
		f.median("symmetric_precision_median@"+strconv.Itoa(px), func(p *pairTally) float64 { return p.symmetric(i) })
	}
	if imported != record.ImportedPoints {
		f.overPairs("match_recall"+within, (*pairTally).recall)
		f.overPairs("gt_match_recall"+within, func(p *pairTally) float64 { return p.ofPartners(p.partners.partners) })
		f.overPairs("gt_match_precision"+within, func(p *pairTally) float64 { return p.ofPartners(p.partners.judged) })
	}
	for i, px := range symmetricLimitsPx {
		f.overPairs("reproj_precision@"+strconv.Itoa(px), func(p *pairTally) float64 { return p.symmetric(i) })
	}
	f.keynet()
}

// at adds the metrics that have a limit at other ones.
func (f figures) at(l Limits) {
	for i, px := range l.Matches {
		f.overPairs(fmt.Sprintf("mma@%g", px), func(p *pairTally) float64 { return p.share(p.withinLimits[i]) })
	}
	f.homographies(l.Corners)
	f.poses(l.Poses, func(estimates) {})
}

// knownShare adds the share of queries of which depth says whether a match of them is correct.
func (f figures) knownShare() {
	if f.depth {
		f.ratio("known", func(p *pairTally) scope.Fraction {
			return scope.Fraction{Sum: float64(p.knownQueries), N: p.queries}
		})
	}
}

// imported returns how the matches of the scope were imported, as record.Pair says. All
// pairs of a descriptor are imported in the same way.
func (f figures) imported() string {
	for _, p := range f.Tallies() {
		return p.pair.Imported
	}
	return ""
}

// mutual adds the numbers of mutual nearest neighbours.
func (f figures) mutual() {
	f.overPairs("mutual_matches_per_pair", func(p *pairTally) float64 { return float64(p.matches) })
	matches, queries := 0, 0
	for _, p := range f.Tallies() {
		matches += p.matches
		queries += int(p.pair.Keypoints1)
	}
	if queries > 0 {
		f.list.Count(f.Name, "total_mutual_matches", matches, queries)
	}
}

// median adds the median of a value over the pairs in which it is defined.
func (f figures) median(name string, figure func(*pairTally) float64) {
	values := f.values(func(p *pairTally) []float64 {
		return slices.DeleteFunc([]float64{figure(p)}, math.IsNaN)
	})
	f.overValues(name, len(values), values.Median)
}

// values returns the values of all pairs, each of which has one or several.
func (f figures) values(of func(*pairTally) []float64) PairValues {
	clusters := scope.Clusters(f.Scenes)
	drawn := make([][]float64, clusters.Len())
	for i, s := range f.Scenes {
		for _, p := range s.Parts {
			at := clusters.Of(i)
			drawn[at] = append(drawn[at], of(p.Tally)...)
		}
	}
	return NewPairValues(drawn)
}

// overValues adds a figure of values of n pairs, given how often each scene, or cluster of scenes,
// occurs.
func (f figures) overValues(name string, n int, figure func(times []uint8) float64) {
	// The only possible error is that of the context, which is never done.
	interval, _ := stats.Resamples(scope.Clusters(f.Scenes).Len()).Statistic(context.Background(), 1, figure)
	f.list.Add(f.Name, name, figure(nil), n, interval)
}

// ratio adds a mean to which every pair contributes a sum and a number.
func (f figures) ratio(name string, of func(*pairTally) scope.Fraction) {
	scope.Micro(f.list, f.Name, name, f.Scenes, func(s sceneTally) (all scope.Fraction) {
		for _, p := range s.Parts {
			all = all.Plus(of(p.Tally))
		}
		return all
	})
}

// overPairs adds the mean of a value over the pairs in which it is defined.
func (f figures) overPairs(name string, figure func(*pairTally) float64) {
	f.ratio(name, func(p *pairTally) scope.Fraction { return defined(figure(p)) })
}

// overDetected is overPairs for a value that judges the detector by the places of keypoints: 0 in a
// pair with an image without keypoints.
func (f figures) overDetected(name string, figure func(*pairTally) float64) {
	f.overPairs(name, func(p *pairTally) float64 {
		if p.pair.Undetected() && !p.placeless {
			return 0
		}
		return figure(p)
	})
}

// images adds the mean of a value over the images in which it is defined. It counts
// image 1 of a scene once.
func (f figures) images(name string, figure func(keypoints int32, spread float64) float64) {
	scope.Micro(f.list, f.Name, name, f.Scenes, func(s sceneTally) scope.Fraction {
		first := s.Parts[0].Tally
		all := defined(figure(first.pair.Keypoints1, first.pair.Spread1))
		for _, p := range s.Parts {
			all = all.Plus(defined(figure(p.Tally.pair.KeypointsK, p.Tally.pair.SpreadK)))
		}
		return all
	})
}

// defined returns v as a fraction, which is empty if v is NaN.
func defined(v float64) scope.Fraction {
	if math.IsNaN(v) {
		return scope.Fraction{}
	}
	return scope.Fraction{Sum: v, N: 1}
}

// ratioTest adds precision and recall of the ratio test at Lowe's threshold.
func (f figures) ratioTest() {
	const step = loweRatio - lowestRatio
	at := func(p *pairTally) (accepted int, correct float64) {
		for _, bar := range p.ratios.bars[:step+1] {
			accepted += int(bar.accepted)
			correct += float64(bar.correct)
		}
		return accepted, correct
	}
	ratio := threshold(step)
	f.ratio(fmt.Sprintf("ratio_precision@%.2f", ratio), func(p *pairTally) scope.Fraction {
		accepted, correct := at(p)
		return scope.Fraction{Sum: correct, N: accepted}
	})
	f.ratio(fmt.Sprintf("ratio_recall@%.2f", ratio), func(p *pairTally) scope.Fraction {
		_, correct := at(p)
		return scope.Fraction{Sum: correct, N: int(p.ratios.correspondences)}
	})
}

// homographies adds the metrics of every requested estimator of homographies at limits in px: the means over its
// draws of samples and, of several draws, the standard deviations. The repetitions of a draw count
// like as many pairs.
func (f figures) homographies(limits []float64) {
	f.eachEstimator(false, func(e estimates) {
		px := e.errors(func(e EstimateError) float64 { return e.Px })
		px.accuracy("_homography_accuracy@%g", limits)
		px.area("_homography_auc@%g", limits)
	})
}

// poses adds those of every requested estimator of poses at limits in degrees, and others.
func (f figures) poses(limits []float64, others func(estimates)) {
	f.eachEstimator(true, func(e estimates) {
		largest := e.errors(EstimateError.Degrees)
		largest.accuracy("_pose_accuracy@%g", limits)
		largest.area("_pose_auc@%g", limits)
		others(e)
	})
}

// poseErrors adds the metrics of poses that have no limit, or always the same.
func (e estimates) poseErrors() {
	e.errors(EstimateError.Degrees).mean(fmt.Sprintf("_pose_maa@%d", maaLimitDegrees), func(degrees float64) float64 {
		if degrees == maaLimitDegrees {
			return 1. / maaLimitDegrees
		}
		return (maaLimitDegrees - math.Floor(min(degrees, maaLimitDegrees))) / maaLimitDegrees
	})
	e.errors(func(e EstimateError) float64 { return e.Rotation }).over("_rotation_error_median", finiteMedian)
	e.errors(func(e EstimateError) float64 { return e.Translation }).over("_translation_error_median", finiteMedian)
}

// finiteMedian returns the median of errors, NaN if it is infinite.
func finiteMedian(errors PairValues, times []uint8) float64 {
	median := errors.Median(times)
	if math.IsInf(median, 1) {
		return math.NaN()
	}
	return median
}

// The estimates of an estimator in the pairs of a scope.
type estimates struct {
	figures
	estimator   string
	has         func(*pairTally) bool // that a pair has them
	pairs       int                   // that have them
	first, last int                   // indices in each pair
	draws       int
}

// eachEstimator calls add for every estimator of homographies, or of poses. Pairs have the same
// estimators, or none.
func (f figures) eachEstimator(poses bool, add func(estimates)) {
	has := func(p *pairTally) bool { return len(p.estimates) > 0 && (p.pair.Cameras != "") == poses }
	var names []string
	pairs := 0
	for _, p := range f.Tallies() {
		if has(p) {
			names, pairs = p.estimators(), pairs+1
		}
	}
	for first, last := 0, 0; first < len(names); first = last {
		for last < len(names) && names[last] == names[first] {
			last++
		}
		e, _ := ParseEstimator(names[first])
		add(estimates{f, names[first], has, pairs, first, last, max(1, (last-first)/max(1, e.Repetitions))})
	}
}

// The errors of estimates, one per index, also of each draw.
type estimateErrors struct {
	estimates
	of    func(EstimateError) float64
	drawn []PairValues
}

func (e estimates) errors(of func(EstimateError) float64) estimateErrors {
	drawn := make([]PairValues, e.draws)
	each := (e.last - e.first) / e.draws
	for d := range drawn {
		drawn[d] = e.values(func(p *pairTally) (errors []float64) {
			for i := e.first + d*each; i < e.first+(d+1)*each && e.has(p); i++ {
				errors = append(errors, of(p.estimates[i]))
			}
			return errors
		})
	}
	return estimateErrors{e, of, drawn}
}

// accuracy adds the shares of estimates with an error of at most each limit.
func (e estimateErrors) accuracy(name string, limits []float64) {
	for _, limit := range limits {
		e.mean(fmt.Sprintf(name, limit), func(err float64) float64 {
			if err <= limit {
				return 1
			}
			return 0
		})
	}
}

// area adds the areas under the curve of these shares up to each limit.
func (e estimateErrors) area(name string, limits []float64) {
	for _, limit := range limits {
		e.over(fmt.Sprintf(name, limit), func(errors PairValues, times []uint8) float64 { return errors.AUC(times, limit) })
	}
}

// mean adds the mean over pairs of a value of each error.
func (e estimateErrors) mean(name string, value func(err float64) float64) {
	e.overPairs(e.estimator+name, func(p *pairTally) float64 {
		if !e.has(p) {
			return math.NaN()
		}
		sum := 0.0
		for _, estimate := range p.estimates[e.first:e.last] {
			sum += value(e.of(estimate))
		}
		return sum / float64(e.last-e.first)
	})
	e.deviation(e.estimator+name, func(errors PairValues) float64 {
		sum := 0.0
		for _, err := range errors {
			sum += value(err.value)
		}
		return sum / float64(len(errors))
	})
}

// over adds the mean over draws of a figure of all errors.
func (e estimateErrors) over(name string, figure func(errors PairValues, times []uint8) float64) {
	e.overValues(e.estimator+name, e.pairs, func(times []uint8) float64 {
		sum := 0.0
		for _, errors := range e.drawn {
			sum += figure(errors, times)
		}
		return sum / float64(len(e.drawn))
	})
	e.deviation(e.estimator+name, func(errors PairValues) float64 { return figure(errors, nil) })
}

// deviation adds the standard deviation of a figure over draws, if there are several.
func (e estimateErrors) deviation(name string, figure func(PairValues) float64) {
	if len(e.drawn) < 2 {
		return
	}
	var values []float64
	for _, errors := range e.drawn {
		values = append(values, figure(errors))
	}
	e.list.Add(e.Name, name+"_std", stats.Deviation(values), e.pairs, stats.NoInterval())
}
