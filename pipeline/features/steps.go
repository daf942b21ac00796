package features

import (
	"math"

	"descbench/eval/random"
	"descbench/keypoints"
	"descbench/pipeline/config"
)

// A paired is the keypoints of one image in every side of a set. Row i of all
// sides is one point.
type paired []keypoints.Set

// choose keeps the given rows of every side.
func (p paired) choose(rows []int) paired {
	out := make(paired, len(p))
	for i, s := range p {
		out[i] = s.Select(rows)
	}
	return out
}

// keep keeps the points all of whose sides pass.
func (p paired) keep(passing func(keypoints.Set) []int) paired {
	passed := make([]int, p[0].Len())
	for _, side := range p {
		for _, row := range passing(side) {
			passed[row]++
		}
	}
	rows := make([]int, 0, len(passed))
	for row, n := range passed {
		if n == len(p) {
			rows = append(rows, row)
		}
	}
	return p.choose(rows)
}

// filterSteps applies the steps of a set that come before its selection of the
// top: what each keypoint passes or fails by itself or among its image's.
// Selections among several go by side a.
func filterSteps(p paired, set *config.KeypointSet, scene string, image, width, height int) paired {
	if set.Border != nil {
		p = p.keep(func(s keypoints.Set) []int { return s.RowsInsideBorder(width, height, *set.Border) })
	}
	if set.MinSize != nil || set.MaxSize != nil {
		low, high := bound(set.MinSize, math.Inf(-1)), bound(set.MaxSize, math.Inf(1))
		p = p.keep(func(s keypoints.Set) []int { return s.RowsBetween(keypoints.BySize, low, high) })
	}
	if set.MinResponse != nil {
		p = p.keep(func(s keypoints.Set) []int {
			return s.RowsBetween(keypoints.ByResponse, *set.MinResponse, math.Inf(1))
		})
	}
	if set.Random != nil {
		stream := random.New(set.Random.Seed, "random keypoints", scene, image)
		p = p.choose(p[0].RandomRows(set.Random.PerImage, stream.Sample))
	}
	if set.Spatial != nil {
		p = p.choose(p[0].SpacedRows(set.Spatial.MinDistancePx))
	}
	return p
}

func bound(b *float64, otherwise float64) float64 {
	if b == nil {
		return otherwise
	}
	return *b
}

// borderOf returns the border of a set; without one, the edge of the image.
func borderOf(set *config.KeypointSet) keypoints.Border {
	if set.Border == nil {
		return keypoints.Border{}
	}
	return *set.Border
}

// project returns the projections of image 1's points into another image of
// the given size (or bounds) by h; each side is resized by its own resizer. A
// point stays if all its sides do.
func project(p paired, set *config.KeypointSet, h keypoints.Homography, width, height int, resize []keypoints.Resizer) paired {
	moved := make(paired, len(p))
	stays := make(map[int32]int)
	for i, side := range p {
		if set.Project.Carry == config.CarryGeometry {
			moved[i] = side.ProjectGeometry(h, width, height, borderOf(set), resize[i])
		} else {
			moved[i] = side.Project(h, width, height, borderOf(set))
		}
		for _, source := range moved[i].Source {
			stays[source]++
		}
	}
	if len(p) == 1 {
		return moved
	}
	for i, side := range moved {
		var rows []int
		for row, source := range side.Source {
			if stays[source] == len(p) {
				rows = append(rows, row)
			}
		}
		moved[i] = side.Select(rows)
	}
	return moved
}

// resizerOf returns how the keypoints of a detector take another size. nil is
// the unknown one of imported keypoints.
func resizerOf(d *config.Detect) keypoints.Resizer {
	if d == nil {
		return keypoints.ResizerOf("", nil)
	}
	return keypoints.ResizerOf(d.Type, d.Params)
}
