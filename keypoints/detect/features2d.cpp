#include "features2d.h"

#include <opencv2/features2d.hpp>

void *descbench_gftt(int max_corners, double quality_level, double min_distance, int block_size, int gradient_size,
                     int use_harris_detector, double k) {
	return new cv::Ptr<cv::GFTTDetector>(cv::GFTTDetector::create(max_corners, quality_level, min_distance, block_size,
	                                                              gradient_size, use_harris_detector != 0, k));
}

void descbench_mser_pass2_only(void *mser) { (*static_cast<cv::Ptr<cv::MSER> *>(mser))->setPass2Only(true); }
