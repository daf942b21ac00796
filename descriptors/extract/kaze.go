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
// given by their class. OpenCV computes their orientation.
//
// OpenCV 4.6 describes with derivatives at the level's own scale only if it
// detects in the same call. For given keypoints it keeps the derivatives from
// the diffusion, which span 3×3 px at any scale (in KAZEFeatures.cpp
// Compute_Multiscale_Derivatives is part of Feature_Detection). All rows then
// differ, and match worse. With gradients: detector the rows therefore come
// from a second detection.
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

// redetectKAZE detects the keypoints of the image again and returns the rows of
// the given ones. Keypoints that are not found are invalid.
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
	return m, nil
}

// anyDetected returns an error if the rows come from a second detection that found
// none of the keypoints.
func anyDetected(m *descriptors.Matrix, p keypoints.Params) (*descriptors.Matrix, error) {
	if p.Choice("gradients") == "detector" && m.Rows > 0 && m.CountInvalid() == m.Rows {
		return nil, errors.New("KAZE does not find any of the keypoints in this image with these parameters; describe moved keypoints with gradients: compute")
	}
	return m, nil
}

// detectAndDescribeKAZE sets the angle of keypoints to 0, as detection alone
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

// ofLevels returns the rows of the keypoints that are inside the image and have
// a size and (as inLevel reports) a level of the scale space, together with the
// keypoints to pass to OpenCV. OpenCV fails for all keypoints if the level of
// one does not exist, and for keypoints outside the image it returns
// descriptors of the border or of nothing.
func ofLevels(img detect.Image, kps []keypoints.Keypoint, inLevel func(keypoints.Keypoint) bool) (rows []int, given []gocv.KeyPoint) {
	for row, k := range kps {
		if k.Finite() && k.Size > 0 && inImage(k, img.Width(), img.Height()) && inLevel(k) {
			rows, given = append(rows, row), append(given, detect.ToOpenCV(k))
		}
	}
	return rows, given
}

// inOrder returns a function that returns rows if OpenCV kept all given
// keypoints in order; their angles may differ.
func inOrder(given []gocv.KeyPoint, rows []int) func([]gocv.KeyPoint) ([]int, error) {
	return func(kept []gocv.KeyPoint) ([]int, error) {
		if len(kept) != len(given) {
			return nil, fmt.Errorf("OpenCV kept %d of %d keypoints, want all", len(kept), len(given))
		}
		for i, k := range kept {
			k.Angle = given[i].Angle
			if k != given[i] {
				return nil, fmt.Errorf("OpenCV changed keypoint %d from %+v to %+v", i, given[i], kept[i])
			}
		}
		return rows, nil
	}
}
