package extract

import (
	"errors"

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
	levels := p.Int("n_octaves") * p.Int("n_octave_layers")
	q := ofLevels(img, kps, func(k keypoints.Keypoint) bool { return k.ClassID >= 0 && int(k.ClassID) < levels })
	return compute("kaze", img.Gray, len(kps), p, q)
}

// redetectKAZE detects the keypoints of the image again and returns the rows of
// the given ones, whatever their angles. Keypoints that are not found are invalid.
func redetectKAZE(img detect.Image, kps []keypoints.Keypoint, p keypoints.Params) (*descriptors.Matrix, error) {
	m := empty("kaze", len(kps), p)
	if len(kps) == 0 {
		return m, nil
	}
	found, described, err := detectAndCompute("kaze", img, p)
	if err != nil {
		return nil, err
	}
	rowOf := make(map[keypoints.Keypoint]int, len(found))
	for row, k := range found {
		k.Angle = 0
		rowOf[k] = row
	}
	for i, k := range kps {
		k.Angle = 0
		if row, ok := rowOf[k]; ok {
			m.CopyRow(i, described, row)
		} else {
			m.Mark(i)
		}
	}
	return m, nil
}

// anyDetected returns an error if the rows come from a second detection that found
// none of the keypoints.
func anyDetected(m *descriptors.Matrix, p keypoints.Params) error {
	if p.Choice("gradients") == "detector" && m.Rows > 0 && m.CountInvalid() == m.Rows {
		return errors.New("KAZE does not find any of the keypoints in this image with these parameters; describe moved keypoints with gradients: compute")
	}
	return nil
}

// ofLevels returns the query of the keypoints that are inside the image and have a size
// and (as inLevel reports) a level of the scale space. OpenCV fails for all keypoints if
// the level of one does not exist, and for keypoints outside the image it returns
// descriptors of the border or of nothing.
func ofLevels(img detect.Image, kps []keypoints.Keypoint, inLevel func(keypoints.Keypoint) bool) query {
	return queryOf(kps, func(k keypoints.Keypoint) bool {
		return k.Finite() && k.Size > 0 && (keypoints.Border{}).Contains(k.X, k.Y, img.Width(), img.Height()) && inLevel(k)
	})
}
