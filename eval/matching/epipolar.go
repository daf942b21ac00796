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
	e := essentialMatrix(c.Pose)
	for _, i := range matches {
		q := &queries[i]
		squared, mean := e.errors(ray(c.First, q.X, q.Y), ray(c.Other, q.NearestX, q.NearestY))
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

func ray(k keypoints.Intrinsics, x, y float32) [3]float64 {
	rx, ry := k.Ray(float64(x), float64(y))
	return [3]float64{rx, ry, 1}
}

// An essential matrix, by row: qᵀ·E·p is 0 if the rays p of the first camera and q of the other
// meet (Hartley, Zisserman: Multiple View Geometry, 2nd edition, section 9.6).
type essential [9]float64

// essentialMatrix returns [t]×·R of a pose.
func essentialMatrix(p keypoints.Pose) (e essential) {
	for c := range 3 {
		for r := range 3 {
			a, b := (r+1)%3, (r+2)%3
			e[3*r+c] = float64(p.T[a]*p.R[3*b+c]) - float64(p.T[b]*p.R[3*a+c])
		}
	}
	return e
}

// errors returns two distances of the rays p and q of a match from the epipolar lines of each
// other. The first is compute_epipolar_error of magicleap/SuperGluePretrainedNetwork, commit
// ddcf11f4, the sum of both squares; the other is sym_epipolar_distance of cvg/glue-factory, commit
// 2d17e3b3, without squares, the mean of both.
func (e essential) errors(p, q [3]float64) (squared, mean float64) {
	line := func(at, step int, x [3]float64) float64 {
		return float64(e[at]*x[0]) + float64(e[at+step]*x[1]) + float64(e[at+2*step]*x[2])
	}
	a, b := line(0, 1, p), line(3, 1, p)
	algebraic := float64(q[0]*a) + float64(q[1]*b) + float64(q[2]*line(6, 1, p))
	c, d := line(0, 3, q), line(1, 3, q)
	first, other := float64(a*a)+float64(b*b), float64(c*c)+float64(d*d)
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
