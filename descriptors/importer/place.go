package importer

import (
	"fmt"
	"slices"

	"descbench/keypoints"
)

// margin is how far outside of the image a position may be, in px: matchers and detectors
// that refine positions go slightly too far, and the scripts of papers do not check.
const margin = 1

// Place shifts keypoints from the given origin to ours. It fails if they are not
// positions in px inside an image of the given size, or at most margin outside of it, and
// names the likely cause.
func Place(points []keypoints.Keypoint, width, height int, origin Origin) error {
	if origin == Corner {
		for i := range points {
			points[i].X -= 0.5
			points[i].Y -= 0.5
		}
	}
	first, outside := 0, 0
	for i, k := range points {
		if within(k.X, width) && within(k.Y, height) {
			continue
		}
		if outside == 0 {
			first = i
		}
		outside++
	}
	if len(points) >= 8 && min(width, height) >= 16 && all(points, func(x, y float32) bool { return max(x, y, -x, -y) <= 2 }) {
		return fmt.Errorf("all %d positions are within 2 px of (0, 0): are they normalised to 0 to 1, or to -1 to 1? want px, in an image of %d×%d px", len(points), width, height)
	}
	if outside == 0 {
		return inDegrees(points)
	}
	hint := ""
	if all(points, func(x, y float32) bool { return within(y, width) && within(x, height) }) {
		hint = "; all are inside with x and y swapped: want x, the column, first"
	}
	k := points[first]
	return &OutsideError{points, fmt.Sprintf("row %d is at (%v, %v), want a position inside the image of %d×%d px (pixel centres at integers); %d of %d rows are outside%s",
		first, k.X, k.Y, width, height, outside, len(points), hint)}
}

// inDegrees returns an error about angles that are spread over 0 to 2π and so are in
// radians. A few, or equal ones, can be small angles in degrees.
func inDegrees(points []keypoints.Keypoint) error {
	const half, full = 3.141593, 6.283186 // a turn, rounded up as float32 may be
	n, largest := 0, float32(0)
	for _, k := range points {
		if k.Angle != keypoints.NoAngle {
			n, largest = n+1, max(largest, k.Angle)
		}
	}
	if n >= 20 && largest > half && largest <= full {
		return fmt.Errorf("the largest of %d angles is %v: are they in radians? want degrees, 0 to 360", n, largest)
	}
	return nil
}

// An OutsideError says which positions are outside of their image.
type OutsideError struct {
	points []keypoints.Keypoint
	text   string
}

func (e *OutsideError) Error() string { return e.text }

// FitIn reports whether all positions are inside an image of another size.
func (e *OutsideError) FitIn(width, height int) bool {
	return all(e.points, func(x, y float32) bool { return within(x, width) && within(y, height) })
}

func all(points []keypoints.Keypoint, test func(x, y float32) bool) bool {
	return !slices.ContainsFunc(points, func(k keypoints.Keypoint) bool { return !test(k.X, k.Y) })
}

// within reports whether a coordinate is inside the pixel area or its margin; pixel
// centres are at 0 to size−1.
func within(v float32, size int) bool {
	return v >= -0.5-margin && float64(v) <= float64(size)-0.5+margin
}
