package matchview

import (
	"math"

	"descbench/eval/matching"
	"descbench/eval/record"
	"descbench/keypoints"
	"descbench/pipeline/report/figure"
)

// judge returns the function that says how the match of a query turned out: by the place of the query in image K or,
// if nobody knows where points lie, by the epipolar lines of the cameras, on one of which every correct match is.
func judge(p *record.Pair, tolerancePx float64) func(q *record.Query) Class {
	cameras, ok := camerasOf(p)
	if !ok {
		return func(q *record.Query) Class { return classOf(q, tolerancePx) }
	}
	return func(q *record.Query) Class {
		switch {
		case q.Nearest < 0:
			return Unmatched
		case matching.OnEpipolarLine(cameras, q):
			return Correct
		}
		return Wrong
	}
}

// camerasOf returns the cameras of a pair whose matches are judged by epipolar lines.
func camerasOf(p *record.Pair) (c keypoints.Cameras, ok bool) {
	if !p.Placeless() {
		return c, false
	}
	m, ok := p.Mapping()
	if ok {
		c, ok = m.Cameras()
	}
	return c, ok
}

// epipolarLine returns the ends of the epipolar line of the position (x, y) of the first image inside of the other image,
// of a size in px. ok is false if none of it is inside.
func epipolarLine(c keypoints.Cameras, x, y float64, width, height int32) (ends [2]figure.Point, ok bool) {
	e := c.Essential()
	rx, ry := c.First.Ray(x, y)
	line := func(row int) float64 { return e[3*row]*rx + e[3*row+1]*ry + e[3*row+2] }
	a, b := line(0)/c.Other[0], line(1)/c.Other[1] // of a·x + b·y + d = 0 in px
	d := line(2) - a*c.Other[2] - b*c.Other[3]
	right, bottom := float64(width-1), float64(height-1)
	var at []figure.Point
	for _, edge := range []float64{0, right} {
		at = append(at, figure.Point{X: edge, Y: -(a*edge + d) / b})
	}
	for _, edge := range []float64{0, bottom} {
		at = append(at, figure.Point{X: -(b*edge + d) / a, Y: edge})
	}
	longest := 0.0
	for i, p := range at {
		for _, q := range at[:i] {
			inside := func(p figure.Point) bool { return p.X >= 0 && p.X <= right && p.Y >= 0 && p.Y <= bottom }
			if length := math.Hypot(p.X-q.X, p.Y-q.Y); inside(p) && inside(q) && length > longest {
				ends, longest, ok = [2]figure.Point{q, p}, length, true
			}
		}
	}
	return ends, ok
}
