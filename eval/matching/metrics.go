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

// symmetricLimitsPx are the limits of the median symmetric precision.
var symmetricLimitsPx = [...]int{1, 3}

// homographyLimitsPx are the limits of homography accuracy and homography AUC.
var homographyLimitsPx = [...]float64{1, 3, 5, 7, 10}

// A sceneTally is one scene or some of its pairs.
type sceneTally = scope.Scene[*pairTally]

// figures adds the metrics of one scope to a list.
type figures struct {
	scope.Scope[*pairTally]
	list    *scope.List
	matcher Matcher
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
	f.ratioTest()
	if f.matcher == Mutual {
		f.mutual()
	}
	f.ratio("inlier_share", func(p *pairTally) scope.Fraction { return scope.Fraction{Sum: float64(p.inliers), N: p.matches} })
	if imported != record.ImportedPoints {
		f.images("keypoints_per_image", func(keypoints int32, _ float64) float64 { return float64(keypoints) })
		f.images("keypoint_spread", func(_ int32, spread float64) float64 { return spread })
	}
	if imported == "" {
		f.overPairs("bytes_per_descriptor", func(p *pairTally) float64 { return float64(p.pair.RowBytes) })
	}
	f.homographies()
	f.overPairs("matches_per_pair", func(p *pairTally) float64 { return float64(p.matches) })
	for _, px := range medianLimitsPx {
		f.median("match_precision_median@"+strconv.Itoa(px), func(p *pairTally) float64 { return p.accuracy(px) })
	}
	f.median("matches_per_pair_median", func(p *pairTally) float64 { return float64(p.matches) })
	for i, px := range symmetricLimitsPx {
		f.median("symmetric_precision_median@"+strconv.Itoa(px), func(p *pairTally) float64 { return p.symmetric(i) })
	}
	if imported != record.ImportedPoints {
		f.overPairs("match_recall"+within, (*pairTally).recall)
	}
	f.keynet()
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

// overDetected is overPairs for a value that judges the detector: 0 in a pair with an image
// without keypoints.
func (f figures) overDetected(name string, figure func(*pairTally) float64) {
	f.overPairs(name, func(p *pairTally) float64 {
		if p.pair.Undetected() {
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

// homographies adds the metrics of every requested estimator: the means over its draws of
// samples and, of several draws, the standard deviations. The repetitions of a draw count
// like as many pairs.
func (f figures) homographies() {
	pairs := f.Tallies()
	if len(pairs) == 0 {
		return
	}
	estimators := pairs[0].estimators()
	for first, last := 0, 0; first < len(estimators); first = last {
		estimator := estimators[first]
		for last < len(estimators) && estimators[last] == estimator {
			last++
		}
		e, _ := ParseEstimator(estimator)
		draws := make([]PairValues, max(1, (last-first)/max(1, e.Repetitions)))
		each := (last - first) / len(draws)
		for d := range draws {
			draws[d] = f.values(func(p *pairTally) (px []float64) {
				for _, e := range p.corners[first+d*each:][:each] {
					px = append(px, e.Px)
				}
				return px
			})
		}
		for _, limit := range homographyLimitsPx {
			name := fmt.Sprintf("%s_homography_accuracy@%g", estimator, limit)
			f.overPairs(name, func(p *pairTally) float64 {
				within := 0
				for _, e := range p.corners[first:last] {
					if e.Px <= limit {
						within++
					}
				}
				return float64(within) / float64(last-first)
			})
			f.deviation(name, draws, func(d PairValues) float64 { return d.within(limit) })
		}
		for _, limit := range homographyLimitsPx {
			name := fmt.Sprintf("%s_homography_auc@%g", estimator, limit)
			f.overValues(name, len(pairs), func(times []uint8) float64 {
				sum := 0.0
				for _, d := range draws {
					sum += d.AUC(times, limit)
				}
				return sum / float64(len(draws))
			})
			f.deviation(name, draws, func(d PairValues) float64 { return d.AUC(nil, limit) })
		}
	}
}

// deviation adds the standard deviation of a figure over draws, if there are several.
func (f figures) deviation(name string, draws []PairValues, figure func(PairValues) float64) {
	if len(draws) < 2 {
		return
	}
	var values []float64
	for _, d := range draws {
		values = append(values, figure(d))
	}
	f.list.Add(f.Name, name+"_std", stats.Deviation(values), len(f.Tallies()), stats.NoInterval())
}
