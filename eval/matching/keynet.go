package matching

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"descbench/eval/record"
	"descbench/keypoints"
)

// The defaults of hsequeces_bench.py and compute_repeatability of axelBarroso/Key.Net,
// commit 24808fb.
const (
	keynetOverlap    = 0.6 // of the circles of a repeated keypoint, at least
	keynetRadiusPx   = 30  // to which the larger circle is scaled
	keynetDistancePx = 5
)

// EnterKeynet writes into the record of a pair what Key.Net's evaluation counts of the
// keypoints a of image 1 and b of image K that were selected in its region. back maps
// image K to image 1, where everything is measured. As there, the size of a keypoint is the
// radius of its circle, and both circles are scaled, but not their distance.
func EnterKeynet(p *record.Pair, back keypoints.Homography, a, b []keypoints.Keypoint) {
	p.KeynetKeypoints = int32(min(len(a), len(b)))
	if p.KeynetKeypoints == 0 {
		return
	}
	moved := make([]circle, len(b))
	for i, k := range b {
		moved[i] = movedCircle(k, back)
	}
	var scaled, single []overlap
	for i, k := range a {
		possible := false
		for j, c := range moved {
			distance := math.Hypot(float64(k.X)-c.x, float64(k.Y)-c.y)
			possible = possible || distance <= keynetDistancePx
			if distance < 2*keynetRadiusPx { // they touch
				radius := float64(k.Size)
				scale := keynetRadiusPx / (math.Max(radius, c.radius) + 0x1p-52)
				scaled = append(scaled, overlap{i, j, shareOf(scale*radius, scale*c.radius, distance)})
				single = append(single, overlap{i, j, shareOf(keynetRadiusPx, keynetRadiusPx, distance)})
			}
		}
		if possible {
			p.KeynetPossible++
		}
	}
	p.KeynetRepeated, p.KeynetOverlapErrorSum = oneToOne(scaled, len(a), len(b))
	p.KeynetRepeatedSingleScale, p.KeynetOverlapErrorSumSingleScale = oneToOne(single, len(a), len(b))
}

type circle struct{ x, y, radius float64 }

// movedCircle returns the circle of the area that the local affine part of h gives to the
// circle of a keypoint: apply_homography_to_points.
func movedCircle(k keypoints.Keypoint, h keypoints.Homography) (c circle) {
	x, y, r := float64(k.X), float64(k.Y), float64(k.Size)
	c.x, c.y = h.Apply(x, y)
	m := h.LocalAffine(x, y)
	c.radius = math.Sqrt(math.Abs(m[0][0]*m[1][1]-m[0][1]*m[1][0]) * (r*r + 0x1p-23))
	return c
}

// shareOf returns the intersection of two circles by their union.
func shareOf(r1, r2, distance float64) float64 {
	area := 0.0
	switch {
	case distance <= math.Abs(r1-r2):
		area = math.Pi * math.Pow(min(r1, r2), 2)
	case distance < r1+r2:
		alpha := math.Acos((distance*distance + r2*r2 - r1*r1) / (2 * distance * r2))
		beta := math.Acos((distance*distance + r1*r1 - r2*r2) / (2 * distance * r1))
		area = r2*r2*alpha + r1*r1*beta - (r2*r2*math.Sin(2*alpha)+r1*r1*math.Sin(2*beta))/2
	}
	return area / (math.Pi*r1*r1 + math.Pi*r2*r2 - area + 1e-6)
}

// An overlap is that of a circle of image 1 and one of image K.
type overlap struct {
	a, b  int
	share float64
}

// oneToOne takes the largest overlaps first, each circle once, down to keynetOverlap. Of
// equal overlaps it takes the lower row of image 1, then of image K, first.
func oneToOne(overlaps []overlap, a, b int) (count int32, errorSum float64) {
	overlaps = slices.DeleteFunc(overlaps, func(o overlap) bool { return !(o.share >= keynetOverlap) })
	slices.SortStableFunc(overlaps, func(o, p overlap) int { return cmp.Compare(p.share, o.share) })
	takenA, takenB := make([]bool, a), make([]bool, b)
	for _, o := range overlaps {
		if !takenA[o.a] && !takenB[o.b] {
			takenA[o.a], takenB[o.b] = true, true
			count, errorSum = count+1, errorSum+1-o.share
		}
	}
	return count, errorSum
}

// keynet adds the metrics of Key.Net's evaluation. Pairs without keypoints in its region
// are left out.
func (f figures) keynet() {
	add := func(name string, value func(*pairTally) float64) {
		f.overPairs("keynet_"+name, func(p *pairTally) float64 {
			if p.pair.KeynetKeypoints == 0 {
				return math.NaN()
			}
			return value(p)
		})
	}
	share := func(p *pairTally, n float64) float64 { return n / float64(p.pair.KeynetKeypoints) }
	meanError := func(sum float64, n int32) float64 { return sum / max(float64(n), 1) }
	add("repeatability", func(p *pairTally) float64 { return share(p, float64(p.pair.KeynetRepeated)) })
	add("repeatability_single_scale", func(p *pairTally) float64 { return share(p, float64(p.pair.KeynetRepeatedSingleScale)) })
	add("overlap_error", func(p *pairTally) float64 { return meanError(p.pair.KeynetOverlapErrorSum, p.pair.KeynetRepeated) })
	add("overlap_error_single_scale", func(p *pairTally) float64 {
		return meanError(p.pair.KeynetOverlapErrorSumSingleScale, p.pair.KeynetRepeatedSingleScale)
	})
	for px := 1; px <= maxErrorPx; px++ {
		add("matching_score@"+strconv.Itoa(px), func(p *pairTally) float64 { return share(p, float64(p.below1[px-1])) })
	}
	add("matching_score_mean", func(p *pairTally) float64 {
		sum := 0
		for _, n := range p.below1 {
			sum += n
		}
		return share(p, float64(sum)/maxErrorPx)
	})
	within := "@" + strconv.Itoa(keynetDistancePx)
	correct := func(p *pairTally) float64 { return float64(p.below1[keynetDistancePx-1]) }
	add("match_recall"+within, func(p *pairTally) float64 { return correct(p) / (float64(p.pair.KeynetPossible) + 1e-6) })
	add("correct_matches"+within, correct)
	add("keypoints", func(p *pairTally) float64 { return float64(p.pair.KeynetKeypoints) })
}
