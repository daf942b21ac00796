package fit

import (
	"math"
	"slices"

	"descbench/eval/matching"
	"descbench/keypoints"
	"descbench/pipeline/dataset"
	"descbench/pipeline/estimate"
)

// leastShare is the smallest share of the matches that says something about cameras: by chance, about
// one match in fifty lies within TolerancePx of a line, and one in twenty of the best line that
// RANSAC finds.
const leastShare = 0.1

// compareCameras judges the cameras of image i by the epipolar lines of matches, and, if they do not
// fit, other readings of the same numbers. If none of these fits, many matches must agree on
// another pose: of the pairs of ScanNet's samples, whose cameras are right, some have few matches on
// their lines, because repeated structures match.
func (p *Pair) compareCameras(s *dataset.Scene, i int, c keypoints.Cameras, m estimate.Matches) error {
	agrees := onLines(c, m)
	p.Cameras, p.Fitting = true, count(agrees)
	e := matching.NewEstimator(matching.Essential)
	pose, ok, err := estimate.Pose(m, c, e)
	if err != nil {
		return err
	}
	lost := 0
	if ok {
		found := c
		found.Pose = pose
		for j, inlier := range onLines(found, m) {
			if inlier {
				if p.Inliers++; !agrees[j] {
					lost++
				}
			}
		}
	}
	least := max(leastInliers, int(math.Ceil(leastShare*float64(p.Matches))))
	fits := func(n int) bool { return n >= least && 2*n >= p.Inliers }
	switch {
	case fits(p.Fitting):
		p.Verdict = Fits
	case p.Inliers >= leastMatches && 10*p.Inliers >= 3*p.Matches && lost >= leastInliers && 4*p.Fitting < p.Inliers:
		p.Verdict = Differs
	}
	best := 2 * p.Fitting
	for _, r := range s.Readings(i) {
		read, _ := r.Cameras()
		if n := count(onLines(read, m)); p.Verdict != Fits && n > best && fits(n) {
			best, p.Instead = n, r.Name
		}
	}
	if p.Instead != "" {
		p.Verdict = Differs
	}
	if p.Instead != "" || !s.HasDepth(i) {
		return nil
	}
	return p.compareDepth(s, i, m, agrees)
}

// compareDepth judges the depth of image 1 and image i by matches on the epipolar lines of their cameras, if
// these fit, and, if it does not fit, other readings of it and of the focal lengths: one by which more than twice as many
// matches are where depth shows them.
func (p *Pair) compareDepth(s *dataset.Scene, i int, m estimate.Matches, onLines []bool) error {
	own, others, err := s.DepthReadings(i)
	if err != nil {
		return err
	}
	if p.Verdict == Fits {
		px := placeErrors(own, m, onLines)
		p.Known, p.ByDepth = len(px), within(px)
		if len(px) > 0 && !math.IsInf(px[len(px)/2], 1) {
			p.Median = new(px[len(px)/2])
		}
	}
	best := 2 * within(placeErrors(own, m, nil))
	for _, r := range others {
		if n := within(placeErrors(r.Mapping, m, nil)); n > best && n >= leastInliers {
			best, p.Instead = n, r.Name
		}
	}
	if p.Instead != "" || p.Known >= leastMatches && 2*p.ByDepth < p.Known {
		p.Verdict = Differs
	}
	return nil
}

// placeErrors returns how far matches are from where a mapping shows them, px, in ascending order: those marked, all if
// marked is nil. Matches of points that are outside or hidden are infinitely far, unknown ones are left out.
func placeErrors(m keypoints.Mapping, of estimate.Matches, marked []bool) (px []float64) {
	for j, from := range of.Src {
		p := m.Place(float64(from.X), float64(from.Y))
		if marked != nil && !marked[j] || p.State == keypoints.Unknown {
			continue
		}
		px = append(px, p.PixelError(keypoints.Keypoint{X: of.Dst[j].X, Y: of.Dst[j].Y}))
	}
	slices.Sort(px)
	return px
}

// within counts the errors of at most TolerancePx.
func within(px []float64) (n int) {
	for n < len(px) && px[n] <= TolerancePx {
		n++
	}
	return n
}

// onLines marks the matches whose points lie within TolerancePx of each other's epipolar lines.
func onLines(c keypoints.Cameras, m estimate.Matches) []bool {
	marked, essential := make([]bool, len(m.Src)), c.Essential()
	ray := func(k keypoints.Intrinsics, p estimate.Point) (r [2]float64) {
		r[0], r[1] = k.Ray(float64(p.X), float64(p.Y))
		return r
	}
	for i := range m.Src {
		algebraic, ofP, ofQ := essential.Lines(ray(c.First, m.Src[i]), ray(c.Other, m.Dst[i]))
		px := func(line [2]float64, k keypoints.Intrinsics) float64 {
			return math.Abs(algebraic) / math.Hypot(line[0]/k[0], line[1]/k[1])
		}
		marked[i] = max(px(ofP, c.Other), px(ofQ, c.First)) <= TolerancePx
	}
	return marked
}
