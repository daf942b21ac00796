package features

import (
	"math"

	"descbench/eval/random"
	"descbench/keypoints"
	"descbench/pipeline/config"
)

// A paired holds the keypoints of one image for every side of a set. Row i of
// all sides belongs to the same point.
type paired []keypoints.Set

// choose returns the given rows of every side.
func (p paired) choose(rows []int) paired {
	out := make(paired, len(p))
	for i, s := range p {
		out[i] = s.Select(rows)
	}
	return out
}

// keep returns the points that pass on every side.
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

// filterSteps applies the steps of a set that come before its top selection:
// filters of single keypoints and selections within an image. Selections use
// the keypoints of side a.
func filterSteps(p paired, set *config.KeypointSet, scene string, image, width, height int) paired {
	if set.Border != nil && *set.Border != (keypoints.Border{}) { // border: 0 is none
		p = p.keep(func(s keypoints.Set) []int { return s.RowsInsideBorder(width, height, *set.Border) })
	}
	if set.MinSize != nil || set.MaxSize != nil {
		low, high := or(set.MinSize, math.Inf(-1)), or(set.MaxSize, math.Inf(1))
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

// or returns the value of a key, or another one if the config has none.
func or[T any](value *T, otherwise T) T {
	if value == nil {
		return otherwise
	}
	return *value
}

// project projects the points of image 1 by m into another image, within bounds
// of the given width and height in px. Each side uses its own resizer. A point
// is kept if all its sides are.
func project(p paired, set *config.KeypointSet, m keypoints.Mapping, width, height int, resize []keypoints.Resizer) paired {
	moved, border := make(paired, len(p)), or(set.Border, keypoints.Border{})
	stays := make(map[int32]int)
	for i, side := range p {
		if set.Project.Carry == config.CarryGeometry {
			moved[i] = side.ProjectGeometry(m, width, height, border, resize[i])
		} else {
			moved[i] = side.Project(m, width, height, border)
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

// resizerOf returns the rule that changes the size of a detector's keypoints. That of
// imported keypoints, nil, and of a program is unknown.
func resizerOf(d *config.Detect) keypoints.Resizer {
	if d == nil || d.Command != nil {
		return keypoints.ResizerOf("", nil)
	}
	return keypoints.ResizerOf(d.Type, d.Params)
}
