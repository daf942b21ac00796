package estimate

import (
	"slices"

	"descbench/eval/matching"
	"descbench/eval/record"
	"descbench/keypoints"
)

// A Request is for an estimate from the matches of an image pair.
type Request struct {
	Estimator matching.Estimator // its threshold is in px of the images as they are
	Matches
	Cameras keypoints.Cameras // for poses; their own pose is not for the estimator
	K       int               // number of the second image
	Sizes   [2][2]int         // width and height of the images, px
	Number  int               // of the estimate, from 0; seeds draws of samples
}

// An Estimate is what a function of the user found: a homography or, if a pose was asked for, a
// pose. Found says that it found one.
type Estimate struct {
	Found      bool
	Homography keypoints.Homography
	Pose       keypoints.Pose
}

// An Own calls the user's function of an estimator.
type Own func(Request) (Estimate, error)

// pose estimates by the function of an own estimator, by Pose for others.
func (o Own) pose(r Request) (keypoints.Pose, bool, error) {
	if !r.Estimator.IsOwn() {
		return Pose(r.Matches, r.Cameras, r.Estimator)
	}
	if len(r.Src) < leastOfPose {
		return keypoints.Pose{}, false, nil
	}
	r.Estimator.ThresholdPx *= focalLength(r.Cameras, matching.Estimator{}) / focalLength(r.Cameras, r.Estimator)
	found, err := o(r)
	return found.Pose, found.Found, err
}

// homography estimates by the function of an own estimator, by Homography for others.
func (o Own) homography(r Request) (keypoints.Homography, bool, error) {
	if !r.Estimator.IsOwn() {
		return Homography(r.Matches, r.Estimator)
	}
	if len(r.Src) < leastOfHomography {
		return keypoints.Homography{}, false, nil
	}
	found, err := o(r)
	return found.Homography, found.Found, err
}

// entered returns the errors of an estimator in the record of a pair.
func entered(pair *record.Pair, estimator string) []matching.EstimateError {
	return slices.DeleteFunc(matching.EstimateErrors(pair), func(e matching.EstimateError) bool { return e.Estimator != estimator })
}
