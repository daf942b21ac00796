package matching

import (
	"math"

	"descbench/eval/record"
	"descbench/keypoints"
)

// epipolarLimits are the limits of epipolar precision, in coordinates of rays with z = 1.
var epipolarLimits = [...]struct {
	name string
	at   float64
}{{"1e-4", 1e-4}, {"5e-4", 5e-4}, {"1e-3", 1e-3}}

// scoreLimit is the index of the limit of SuperGlue's matching score.
const scoreLimit = 1

// leastOfPose is the number of matches below which no pose is estimated.
const leastOfPose = 5

// An epipolarCount counts the matches of a pair with errors below epipolarLimits.
type epipolarCount struct {
	squared [len(epipolarLimits)]int // as magicleap/SuperGluePretrainedNetwork measures it
	mean    [len(epipolarLimits)]int // as cvg/glue-factory does
}

// epipolarCounts counts the matches, given by the indices of their queries, by their distances from
// the epipolar lines.
func epipolarCounts(c keypoints.Cameras, queries []record.Query, matches []int32) (n epipolarCount) {
	e := c.Essential()
	for _, i := range matches {
		q := &queries[i]
		squared, mean := epipolarErrors(e, ray(c.First, q.X, q.Y), ray(c.Other, q.NearestX, q.NearestY))
		for limit, l := range epipolarLimits {
			if squared < l.at {
				n.squared[limit]++
			}
			if mean < l.at {
				n.mean[limit]++
			}
		}
	}
	return n
}

// OnEpipolarLine reports whether epipolar_precision@5e-4 counts the match of a query, its nearest neighbour, as correct.
func OnEpipolarLine(c keypoints.Cameras, q *record.Query) bool {
	squared, _ := epipolarErrors(c.Essential(), ray(c.First, q.X, q.Y), ray(c.Other, q.NearestX, q.NearestY))
	return squared < epipolarLimits[scoreLimit].at
}

func ray(k keypoints.Intrinsics, x, y float32) (r [2]float64) {
	r[0], r[1] = k.Ray(float64(x), float64(y))
	return r
}

// epipolarErrors returns two distances of the rays p and q of a match from the epipolar lines of each
// other. The first is compute_epipolar_error of magicleap/SuperGluePretrainedNetwork, commit
// ddcf11f4, the sum of both squares; the other is sym_epipolar_distance of cvg/glue-factory, commit
// 2d17e3b3, without squares, the mean of both.
func epipolarErrors(e keypoints.Essential, p, q [2]float64) (squared, mean float64) {
	algebraic, ofP, ofQ := e.Lines(p, q)
	first, other := float64(ofP[0]*ofP[0])+float64(ofP[1]*ofP[1]), float64(ofQ[0]*ofQ[0])+float64(ofQ[1]*ofQ[1])
	const least = 1e-6 // glue-factory's, of squares
	return algebraic * algebraic * (1/first + 1/other),
		math.Abs(algebraic) * (1/math.Sqrt(max(first, least)) + 1/math.Sqrt(max(other, least))) / 2
}

// epipolar adds the metrics of pairs whose images have cameras. A pair without matches counts as
// 0.
func (f figures) epipolar() {
	add := func(name string, count func(*epipolarCount) int, of func(*pairTally) int) {
		f.overPairs(name, func(p *pairTally) float64 {
			if p.epipolar == nil {
				return math.NaN()
			}
			return float64(count(p.epipolar)) / float64(max(of(p), 1))
		})
	}
	matches := func(p *pairTally) int { return p.matches }
	for i, l := range epipolarLimits {
		add("epipolar_precision@"+l.name, func(n *epipolarCount) int { return n.squared[i] }, matches)
	}
	for i, l := range epipolarLimits {
		add("epipolar_error_precision@"+l.name, func(n *epipolarCount) int { return n.mean[i] }, matches)
	}
	if f.imported() != record.ImportedPoints {
		add("epipolar_matching_score@"+epipolarLimits[scoreLimit].name, func(n *epipolarCount) int { return n.squared[scoreLimit] },
			func(p *pairTally) int { return int(p.pair.Keypoints1) })
	}
	pairs, few := 0, 0
	for _, p := range f.Tallies() {
		if p.epipolar != nil {
			pairs++
			if p.matches < leastOfPose {
				few++
			}
		}
	}
	if pairs > 0 {
		f.list.Count(f.Name, "pairs_below_5_matches", few, pairs)
	}
}
