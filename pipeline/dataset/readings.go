package dataset

import (
	"cmp"
	"fmt"

	"descbench/keypoints"
)

// A Reading is another reading of the numbers of the cameras of two images, or of their depth.
type Reading struct {
	Name string
	keypoints.Mapping
}

// Readings returns what the cameras of image 1 and image i, counted from 0, are if somebody wrote
// their numbers by another convention.
func (s *Scene) Readings(i int) []Reading {
	a, b := s.cameras[0], s.cameras[i]
	between := func(a, b keypoints.Camera) keypoints.Mapping {
		return keypoints.Space(keypoints.Between(a, b), s.Images[0].size(), s.Images[i].size())
	}
	both := func(change func(keypoints.Camera) keypoints.Camera) keypoints.Mapping {
		return between(change(a), change(b))
	}
	inverse := func(c keypoints.Camera) keypoints.Camera { c.Pose = c.Pose.Inverse(); return c }
	transposed := func(c keypoints.Camera) keypoints.Camera { c.R = c.Pose.Inverse().R; return c }
	scaled := func(by float64) func(keypoints.Camera) keypoints.Camera {
		return func(c keypoints.Camera) keypoints.Camera { c.Intrinsics = c.Changed(by, by, 0, 0); return c }
	}
	return []Reading{
		{"inverse poses", both(inverse)},
		{"transposed rotations", both(transposed)},
		{"cameras of the exchanged images", between(b, a)},
		{"cameras of images of half the size", both(scaled(2))},
		{"cameras of images of twice the size", both(scaled(0.5))},
	}
}

// DepthReadings returns the mapping from image 1 to image i, counted from 0, and what it is if somebody
// wrote depth in another unit or along the rays, or gave the focal lengths of another camera. Both must have depth.
func (s *Scene) DepthReadings(i int) (own keypoints.Mapping, others []Reading, err error) {
	first, err := s.depth(0)
	other, otherErr := s.depth(i)
	if err = cmp.Or(err, otherErr); err != nil {
		return own, nil, err
	}
	of := func(c keypoints.Cameras, first, other *keypoints.Depth) keypoints.Mapping {
		return keypoints.Space(c, s.Images[0].size(), s.Images[i].size()).WithDepth(first, other, s.depthTolerance)
	}
	c, _ := s.Cameras(i)
	own = of(c, first, other)
	unit, units := s.Images[0].depth.unit, []float64{1000, 5000, 256}
	if unit == 0 { // of .npy: the values are in the unit of t
		unit, units = 1, units[:1]
	}
	for _, per := range units {
		if by := 1 / per / unit; by < 0.99 || by > 1.01 {
			shorter := c // z times a number is t divided by it
			for j := range shorter.T {
				shorter.T[j] /= by
			}
			others = append(others, Reading{fmt.Sprintf("depth in units of 1/%g", per), of(shorter, first, other)})
		}
	}
	others = append(others, Reading{"depth along rays instead of z", of(c, first.OfRays(c.First), other.OfRays(c.Other))})
	for _, f := range []struct {
		name string
		by   float64
	}{{"longer", 1.12}, {"shorter", 1 / 1.12}} {
		changed := c
		for _, k := range []*keypoints.Intrinsics{&changed.First, &changed.Other} {
			k[0], k[1] = k[0]*f.by, k[1]*f.by
		}
		others = append(others, Reading{"focal lengths 12 % " + f.name, of(changed, first, other)})
	}
	return own, others, nil
}
