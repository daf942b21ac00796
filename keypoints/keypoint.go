// Package keypoints holds the keypoints of an image and the operations on them
// that need no pixels: the border rule, selection, projection by a homography,
// and nearest-position search. (Index is here because it searches keypoint
// positions.) The package is pure Go.
//
// Pixel centres are at integer coordinates; x grows to the right, y downwards.
package keypoints

import "math"

// A Keypoint is one detected point with OpenCV's attributes in OpenCV's
// precision and conventions (cv::KeyPoint). A new attribute must also be added
// to Columns to be stored.
type Keypoint struct {
	X        float32 // horizontal position in pixels
	Y        float32 // vertical position in pixels, downwards
	Size     float32 // diameter of the described neighbourhood in pixels
	Angle    float32 // orientation in degrees, [0, 360), clockwise in the image (y down), or NoAngle
	Response float32 // strength in the detector's own units
	Octave   int32   // as the detector packs it; SIFT: octave | layer<<8 | offset<<16
	ClassID  int32   // detector-specific (SURF: sign of the Laplacian); -1: not set
}

// NoAngle is the angle of keypoints without orientation.
const NoAngle = -1

// Finite reports whether position, size, angle and response are all finite.
func (k Keypoint) Finite() bool {
	for _, v := range [...]float32{k.X, k.Y, k.Size, k.Angle, k.Response} {
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			return false
		}
	}
	return true
}

// A Set holds the keypoints of one image. The row of a keypoint, its index in
// the set, identifies it everywhere: row i of a descriptor matrix describes
// Keypoints[i].
type Set struct {
	Keypoints []Keypoint
	// Source has one entry per keypoint in a projected set: the row of its
	// original in the set of the source image. In the source image's own set it
	// is the row that the keypoint had at projection time. It is nil in sets
	// that were not projected.
	Source []int32
}

// Numbered returns the set with its own row numbers as Source.
func (s Set) Numbered() Set {
	s.Source = make([]int32, len(s.Keypoints))
	for i := range s.Source {
		s.Source[i] = int32(i)
	}
	return s
}

// Len returns the number of keypoints.
func (s Set) Len() int { return len(s.Keypoints) }

// WithoutAngle returns the number of keypoints without orientation: those with NoAngle, or all
// if ten or more have one and the same angle, as those of upright detectors have.
func (s Set) WithoutAngle() (n int) {
	same := s.Len() >= 10
	for _, k := range s.Keypoints {
		if k.Angle == NoAngle {
			n++
		}
		same = same && k.Angle == s.Keypoints[0].Angle
	}
	if same {
		return s.Len()
	}
	return n
}

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
