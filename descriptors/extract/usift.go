package extract

import "descbench/keypoints"

// upright returns the keypoint that USIFT describes as SIFT does: at angle 0; its
// own does not count.
func upright(k keypoints.Keypoint) keypoints.Keypoint {
	k.Angle = 0
	return k
}
