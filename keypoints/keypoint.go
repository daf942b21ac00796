// Package keypoints holds what a detector finds in an image and the operations
// on it that need no pixels: the border rule, selection, projection by a
// homography, the search for the nearest position (Index, which is here because
// the positions that it searches are those of keypoints). It is pure Go.
//
// Pixel centres are at integer coordinates; x grows to the right, y downwards.
package keypoints

import "math"

// A Keypoint is one detected point with OpenCV's attributes in OpenCV's
// precision and conventions (cv::KeyPoint). An attribute that is added here is
// stored once it has its line in Columns too.
type Keypoint struct {
	X        float32 `parquet:"x"`        // position in pixels
	Y        float32 `parquet:"y"`        //
	Size     float32 `parquet:"size"`     // diameter of the meaningful neighbourhood in pixels
	Angle    float32 `parquet:"angle"`    // orientation in degrees, [0, 360), clockwise in the image (y down); -1: none
	Response float32 `parquet:"response"` // strength, by the detector's own measure
	Octave   int32   `parquet:"octave"`   // as the detector packs it; SIFT: octave | layer<<8 | offset<<16
	ClassID  int32   `parquet:"class_id"` // the detector's own use (SURF: sign of the Laplacian); -1: none
}

// Finite reports whether position, size, angle and response are all finite.
func (k Keypoint) Finite() bool {
	for _, v := range [...]float32{k.X, k.Y, k.Size, k.Angle, k.Response} {
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			return false
		}
	}
	return true
}

// A Set is the keypoints of one image. The position of a keypoint in its set,
// its row, names it everywhere: row i of a descriptor matrix describes
// Keypoints[i].
type Set struct {
	Keypoints []Keypoint
	// Source has one entry per keypoint in a projected set: the row, in the
	// set of the image projected from, of which it is the projection. In the
	// set of that image itself it is what its row was then. It is nil in sets
	// that were not projected.
	Source []int32
}

// Numbered returns the set with its rows as Source.
func (s Set) Numbered() Set {
	s.Source = make([]int32, len(s.Keypoints))
	for i := range s.Source {
		s.Source[i] = int32(i)
	}
	return s
}

// Len returns the number of keypoints.
func (s Set) Len() int { return len(s.Keypoints) }

// Select returns the set of the given rows, in the order given.
func (s Set) Select(rows []int) Set {
	out := Set{Keypoints: make([]Keypoint, len(rows))}
	for i, r := range rows {
		out.Keypoints[i] = s.Keypoints[r]
	}
	if s.Source != nil {
		out.Source = make([]int32, len(rows))
		for i, r := range rows {
			out.Source[i] = s.Source[r]
		}
	}
	return out
}
