#ifndef DESCBENCH_FEATURES2D_H
#define DESCBENCH_FEATURES2D_H

/*
 * Parameters of detectors that gocv does not set. An object is a pointer to a cv::Ptr,
 * as in gocv, which frees it.
 */

#ifdef __cplusplus
extern "C" {
#endif

void *descbench_gftt(int max_corners, double quality_level, double min_distance, int block_size, int gradient_size,
                     int use_harris_detector, double k);

/* Limits a cv::MSER to bright regions. */
void descbench_mser_pass2_only(void *mser);

#ifdef __cplusplus
}
#endif

#endif
