// Package patchcut cuts the patches around keypoints out of an image.
package patchcut

import (
	"fmt"
	"math"

	"descbench/descriptors"
	"descbench/keypoints"
	"descbench/keypoints/detect"
)

// Version is part of the key of cached features. Increase it with every change that gives
// a different patch for the same image, keypoint and options.
const Version = 4

// Each calls use with the patch of each keypoint that has one, until use fails. Keypoints
// that are not finite, have no size or lie outside the image have none. The patch is valid
// until use returns: channel by channel, row by row.
//
// Patches are sampled bilinearly. If the samples are further apart than the image's pixels,
// finer detail is filtered out first. Beyond the image edge, the outermost pixels are
// repeated.
func Each(img detect.Image, kps []keypoints.Keypoint, o descriptors.PatchCut, use func(i int, patch []float32) error) error {
	if err := img.Check(); err != nil {
		return err
	}
	s, err := newSampler(img, kps, o)
	if err != nil {
		return err
	}
	patch := make([]float32, o.Planes()*o.InputSize*o.InputSize)
	for i, k := range kps {
		if s.describable(k) && s.patch(k, patch) {
			if err := use(i, patch); err != nil {
				return err
			}
		}
	}
	return nil
}

// A sampler cuts patches out of one image.
type sampler struct {
	options  descriptors.PatchCut
	w, h     int
	pyramids []pyramid // one per channel
}

// newSampler prepares an image for patches of these keypoints.
func newSampler(img detect.Image, kps []keypoints.Keypoint, o descriptors.PatchCut) (*sampler, error) {
	s := &sampler{options: o, w: img.Width(), h: img.Height()}
	coarsest := 0.0
	for _, k := range kps {
		if s.describable(k) {
			coarsest = max(coarsest, step(o, k))
		}
	}
	mat, order := img.BGR, []int{0, 1, 2}
	switch o.Channels {
	case "gray":
		mat, order = img.Gray, []int{0}
	case "rgb":
		order = []int{2, 1, 0}
	}
	pixels, err := mat.DataPtrUint8()
	if err != nil {
		return nil, fmt.Errorf("image: %w", err)
	}
	for _, channel := range order {
		base := plane{w: s.w, h: s.h, scale: 1, pix: make([]float32, s.w*s.h)}
		for i := range base.pix {
			base.pix[i] = float32(pixels[i*len(order)+channel])
		}
		s.pyramids = append(s.pyramids, newPyramid(base, coarsest))
	}
	return s, nil
}

// step returns the distance between the samples of a keypoint's patch, in
// pixels of the image.
func step(o descriptors.PatchCut, k keypoints.Keypoint) float64 {
	return o.Magnification * float64(k.Size) / float64(o.InputSize)
}

// describable reports whether a keypoint has a patch: it has a size and is
// inside the image by the closed border rule with a border of 0 px.
func (s *sampler) describable(k keypoints.Keypoint) bool {
	return k.Finite() && k.Size > 0 && (keypoints.Border{}).Contains(k.X, k.Y, s.w, s.h)
}

// patch fills out with the patch of a keypoint, channel by channel, row by row. It reports
// false if the patch is undefined.
//
// Sample (i, j) of the patch, i to the right and j downwards, has the offset u
// = (i − (InputSize−1)/2)·step and v = (j − (InputSize−1)/2)·step from the
// keypoint along the keypoint's own axes. These are the image axes rotated
// clockwise by the keypoint's angle, so the sample is at x + u·cos − v·sin, y +
// u·sin + v·cos.
func (s *sampler) patch(k keypoints.Keypoint, out []float32) bool {
	o := s.options
	sin, cos := 0.0, 1.0
	if !o.Upright && k.Angle != keypoints.NoAngle {
		sin, cos = math.Sincos(float64(k.Angle) * (math.Pi / 180))
	}
	step, centre := step(o, k), float64(o.InputSize-1)/2
	for c, p := range s.pyramids {
		plane, seen := out[c*o.InputSize*o.InputSize:], p.view(step)
		for j := range o.InputSize {
			v := (float64(j) - centre) * step
			for i := range o.InputSize {
				u := (float64(i) - centre) * step
				x := float64(k.X) + float64(u*cos) - float64(v*sin)
				y := float64(k.Y) + float64(u*sin) + float64(v*cos)
				plane[j*o.InputSize+i] = seen.at(x, y)
			}
		}
	}
	return normalize(o, out)
}

// normalize scales pixels from 0 to 255 as the options say. It reports
// false if a patch of equal values is to be standardised.
func normalize(o descriptors.PatchCut, patch []float32) bool {
	if o.Standardize {
		mean, std := Deviation(patch, len(patch))
		if std == 0 {
			return false
		}
		scale(patch, mean, std)
		return true
	}
	plane := o.InputSize * o.InputSize
	for c := range o.Planes() {
		scale(patch[c*plane:(c+1)*plane], o.Mean[min(c, len(o.Mean)-1)], o.Std[min(c, len(o.Std)-1)])
	}
	return true
}

func scale(pixels []float32, mean, std float64) {
	for i, v := range pixels {
		pixels[i] = float32((float64(v) - mean) / std)
	}
}

// Deviation returns the mean of v and its standard deviation, with the sum of squares
// divided by n. The deviation is exactly zero if all values are equal: sums of up to 2²⁹
// equal 24-bit numbers are exact in 53 bits.
func Deviation(v []float32, n int) (mean, std float64) {
	sum := 0.0
	for _, x := range v {
		sum += float64(x)
	}
	mean = sum / float64(len(v))
	square := 0.0
	for _, x := range v {
		d := float64(x) - mean
		square += float64(d * d)
	}
	return mean, math.Sqrt(square / float64(n))
}
