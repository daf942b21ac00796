#ifndef DESCBENCH_ESSENTIAL_H
#define DESCBENCH_ESSENTIAL_H

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Estimates the relative pose of two cameras from n matches, whose points (x, y) are in
 * coordinates of rays with z = 1. pose gets the rotation by row and the translation. Returns the
 * number of inliers, 0 if no pose was found, or -1 if OpenCV threw an exception, whose text
 * message gets, cut off at size bytes. iterations is not used by USAC.
 */
int descbench_pose(const double *first, const double *other, int n, int method, double threshold, double confidence,
                   int iterations, double pose[12], char *message, int size);

#ifdef __cplusplus
}
#endif

#endif
