package importer

import (
	"errors"
	"fmt"
	"slices"

	"descbench/keypoints"
)

// margin is how far outside of the image a position may be, in px: matchers and detectors
// that refine positions go slightly too far, and the scripts of papers do not check.
const margin = 1

// Place shifts keypoints from their origin to ours. If stated, the size that their file states
// for its image, nil without, is that of the stored image, it then moves them to the resized one,
// and reports that. It fails if they are not positions in px inside an image of the given size, or
// at most margin outside of it, and names the likely cause. Those that were moved may also be in
// the part of the image that the run cropped.
func Place(points []keypoints.Keypoint, stated []float64, width, height int, o Options) (moved bool, err error) {
	inStored := o.Resized != nil && all(points, func(x, y float32) bool { return within(x, o.Stored[0]) && within(y, o.Stored[1]) })
	if o.Origin == Corner {
		for i := range points {
			points[i].X -= 0.5
			points[i].Y -= 0.5
		}
	}
	moved = o.Placed
	switch is := func(w, h int) bool { return slices.Equal(stated, []float64{float64(w), float64(h)}) }; {
	case o.Placed:
		right, bottom := width+int(2*o.Resized[2]), height+int(2*o.Resized[3])
		inStored = all(points, func(x, y float32) bool {
			return within(x+float32(o.Resized[2]), right) && within(y+float32(o.Resized[3]), bottom)
		})
	case stated == nil || is(width, height):
	case o.Resized != nil && is(o.Stored[0], o.Stored[1]):
		moved = true
		sx, sy, left, top := o.Resized[0], o.Resized[1], o.Resized[2], o.Resized[3]
		for i := range points {
			k := &points[i]
			k.X, k.Y = float32((float64(k.X)+0.5)*sx-0.5-left), float32((float64(k.Y)+0.5)*sy-0.5-top)
			*k = keypoints.ResizerOf("", nil)(*k, k.Size*float32((sx+sy)/2))
		}
	default:
		return false, fmt.Errorf("image_size is %v, want [%d %d], the width and the height of the image, or those of the stored one if the run resizes it; do they come from a run that resizes images, by its preset or dataset.resize?", stated, width, height)
	}
	return moved, check(points, width, height, moved, inStored)
}

// check returns an error if positions are outside of an image of the given size. moved says
// that they were moved from the stored image, inStored that they are inside of that one.
func check(points []keypoints.Keypoint, width, height int, moved, inStored bool) error {
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
	switch {
	case outside == 0 || inStored && moved:
		return inDegrees(points)
	case inStored:
		return errOfStored
	}
	hint := ""
	if all(points, func(x, y float32) bool { return within(y, width) && within(x, height) }) {
		hint = "; all are inside with x and y swapped: want x, the column, first"
		if 10*outside <= len(points) {
			hint += "; or do the files belong to another scene?"
		}
	}
	k := points[first]
	return fmt.Errorf("row %d is at (%v, %v), want a position inside the image of %d×%d px (pixel centres at integers); %d of %d rows are outside%s",
		first, k.X, k.Y, width, height, outside, len(points), hint)
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

func all(points []keypoints.Keypoint, test func(x, y float32) bool) bool {
	return !slices.ContainsFunc(points, func(k keypoints.Keypoint) bool { return !test(k.X, k.Y) })
}

var errOfStored = errors.New("positions outside the resized image, but inside the stored one: want coordinates of the resized image, dataset.resize: null or, in an .npz, not in a CSV, the array image_size (of matches: image_size0 and image_size1)")

// within reports whether a coordinate is inside the pixel area or its margin; pixel
// centres are at 0 to size−1.
func within(v float32, size int) bool {
	return v >= -0.5-margin && float64(v) <= float64(size)-0.5+margin
}
