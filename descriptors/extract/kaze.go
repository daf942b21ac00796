package extract

import (
	"errors"
	"fmt"

	"gocv.io/x/gocv"

	"descbench/descriptors"
	"descbench/keypoints"
	"descbench/keypoints/detect"
)

// extractKAZE describes keypoints in the level of the nonlinear scale space
// that their class numbers. OpenCV finds their orientation.
//
// OpenCV 4.6 describes by derivatives of the level's own scale only if it
// detects in the same call. If keypoints are given, it leaves the derivatives
// that it made for the diffusion, of 3×3 px whatever the scale (in KAZEFeatures.cpp
// Compute_Multiscale_Derivatives is part of Feature_Detection): all rows are
// others, and match worse. So where the parameter gradients does not ask for
// these, the rows are those of a new detection.
func extractKAZE(img detect.Image, kps []keypoints.Keypoint, p keypoints.Params) (*descriptors.Matrix, error) {
	if p.Choice("gradients") == "detector" {
		return redetectKAZE(img, kps, p)
	}
	dim, t := shapeOf("kaze", p)
	levels := p.Int("n_octaves") * p.Int("n_octave_layers")
	rows, given := ofLevels(img, kps, func(k keypoints.Keypoint) bool { return k.ClassID >= 0 && int(k.ClassID) < levels })
	kaze := detect.NewKAZE(p)
	defer kaze.Close()
	return compute(shape{len(kps), dim, t}, &kaze, img.Gray, given, inOrder(given, rows))
}

// redetectKAZE finds the keypoints of the image and returns the rows of those
// given. Those not found are invalid; it is an error if that is all of them.
func redetectKAZE(img detect.Image, kps []keypoints.Keypoint, p keypoints.Params) (*descriptors.Matrix, error) {
	dim, t := shapeOf("kaze", p)
	m := descriptors.New(len(kps), dim, t)
	if len(kps) == 0 {
		return m, nil
	}
	found, described, err := detectAndDescribeKAZE(img, nil, p)
	if err != nil {
		return nil, err
	}
	rowOf := make(map[keypoints.Keypoint]int, len(found))
	for row, k := range found {
		rowOf[k] = row
	}
	for i, k := range kps {
		row, ok := rowOf[k]
		if !ok {
			m.Mark(i)
			continue
		}
		copy(m.Float32[i*dim:][:dim], described.Float32[row*dim:])
	}
	if m.CountInvalid() == len(kps) {
		return nil, errors.New("none of the keypoints is one that KAZE finds in this image with these parameters; moved ones can be described with gradients: compute")
	}
	return m, nil
}

// detectAndDescribeKAZE leaves the angle of keypoints at 0, as detection alone
// does.
func detectAndDescribeKAZE(img detect.Image, dp, kp keypoints.Params) ([]keypoints.Keypoint, *descriptors.Matrix, error) {
	dim, t := shapeOf("kaze", kp)
	kaze := detect.NewKAZE(union(dp, kp))
	defer kaze.Close()
	found, m, err := detectAndCompute(&kaze, img.Gray, dim, t)
	for i := range found {
		found[i].Angle = 0
	}
	return found, m, err
}

// ofLevels returns the rows of the keypoints in the image that have a size and,
// as inLevel reports, a level of the scale space, and what OpenCV is given for
// them. OpenCV refuses all if the level of one is not there, and of keypoints
// beside the image makes descriptors of its border or of nothing.
func ofLevels(img detect.Image, kps []keypoints.Keypoint, inLevel func(keypoints.Keypoint) bool) (rows []int, given []gocv.KeyPoint) {
	for row, k := range kps {
		if k.Finite() && k.Size > 0 && inImage(k, img.Width(), img.Height()) && inLevel(k) {
			rows, given = append(rows, row), append(given, detect.ToOpenCV(k))
		}
	}
	return rows, given
}

// inOrder returns a function that returns the rows if OpenCV kept all keypoints
// given, in their order, if perhaps with another angle.
func inOrder(given []gocv.KeyPoint, rows []int) func([]gocv.KeyPoint) ([]int, error) {
	return func(kept []gocv.KeyPoint) ([]int, error) {
		if len(kept) != len(given) {
			return nil, fmt.Errorf("OpenCV kept %d of %d keypoints, want all", len(kept), len(given))
		}
		for i, k := range kept {
			k.Angle = given[i].Angle
			if k != given[i] {
				return nil, fmt.Errorf("OpenCV moved keypoint %d, %+v, and has %+v in its place", i, given[i], kept[i])
			}
		}
		return rows, nil
	}
}
