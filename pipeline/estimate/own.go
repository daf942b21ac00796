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

// estimate calls the function of an own estimator, for others OpenCV.
func (o Own) estimate(r Request) (found Estimate, err error) {
	posed, least := r.Estimator.Pose(), leastOfHomography
	if posed {
		least = leastOfPose
	}
	switch own := r.Estimator.IsOwn(); {
	case own && len(r.Src) < least:
	case own:
		if posed {
			r.Estimator.ThresholdPx *= focalLength(r.Cameras, matching.Estimator{}) / focalLength(r.Cameras, r.Estimator)
		}
		return o(r)
	case posed:
		found.Pose, found.Found, err = Pose(r.Matches, r.Cameras, r.Estimator)
	default:
		found.Homography, found.Found, err = Homography(r.Matches, r.Estimator)
	}
	return found, err
}

// entered returns the errors of an estimator in the record of a pair.
func entered(pair *record.Pair, estimator string) []matching.EstimateError {
	return slices.DeleteFunc(matching.EstimateErrors(pair), func(e matching.EstimateError) bool { return e.Estimator != estimator })
}
