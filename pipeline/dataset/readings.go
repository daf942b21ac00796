package dataset

import "descbench/keypoints"

// A Reading is another reading of the numbers of the cameras of two images.
type Reading struct {
	Name string
	keypoints.Cameras
}

// Readings returns what the cameras of image 1 and image i, counted from 0, are if somebody wrote
// their numbers by another convention.
func (s *Scene) Readings(i int) []Reading {
	a, b := s.cameras[0], s.cameras[i]
	both := func(change func(keypoints.Camera) keypoints.Camera) keypoints.Cameras {
		return keypoints.Between(change(a), change(b))
	}
	inverse := func(c keypoints.Camera) keypoints.Camera { c.Pose = c.Pose.Inverse(); return c }
	transposed := func(c keypoints.Camera) keypoints.Camera { c.R = c.Pose.Inverse().R; return c }
	scaled := func(by float64) func(keypoints.Camera) keypoints.Camera {
		return func(c keypoints.Camera) keypoints.Camera { c.Intrinsics = c.Changed(by, by, 0, 0); return c }
	}
	return []Reading{
		{"inverse poses", both(inverse)},
		{"transposed rotations", both(transposed)},
		{"cameras of the exchanged images", keypoints.Between(b, a)},
		{"cameras of images of half the size", both(scaled(2))},
		{"cameras of images of twice the size", both(scaled(0.5))},
	}
}
