// Package matching computes the metrics that papers use to judge the matching of
// local features: mean matching accuracy, matching score, repeatability, the ratio
// test, and the accuracy of homographies estimated from the matches. It is pure Go.
//
// A match is a query and a candidate that are each other's nearest neighbour in
// descriptor space (mutual nearest neighbours). The ratio test instead tests the
// nearest neighbour of every query. A keypoint is in the shared region of a pair if it is
// visible in the other image (keypoints.Place).
//
// Sources:
//   - D. Lowe: Distinctive Image Features from Scale-Invariant Keypoints, IJCV
//     2004, section 7.1 (ratio test);
//   - K. Mikolajczyk, C. Schmid: A Performance Evaluation of Local Descriptors,
//     PAMI 2005 (recall and precision of matches);
//   - D. DeTone, T. Malisiewicz, A. Rabinovich: SuperPoint, CVPR workshops 2018,
//     section 7 and appendix (repeatability, localization error, matching
//     score, homography accuracy);
//   - M. Dusmanu et al.: D2-Net, CVPR 2019, section 5.1 (mean matching accuracy);
//   - P.-E. Sarlin, D. DeTone, T. Malisiewicz, A. Rabinovich: SuperGlue, CVPR
//     2020, section 5.1 (area under the curve of the corner error).
package matching

// TolerancePx is the maximum distance in px of a repeated keypoint, and of a correct
// match in the matching score.
const TolerancePx = 3
