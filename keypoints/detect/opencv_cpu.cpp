#include "opencv.h"

#include <opencv2/core.hpp>

int descbench_cpu_uses(int level) {
	static const int features[] = {CV_CPU_AVX512_SKX, CV_CPU_AVX2, CV_CPU_FMA3, CV_CPU_AVX,
	                               CV_CPU_SSE4_2, CV_CPU_SSE4_1, CV_CPU_NEON};
	return cv::checkHardwareSupport(features[level]);
}

const char *descbench_opencv_version(void) {
	static const cv::String version = cv::getVersionString();
	return version.c_str();
}
