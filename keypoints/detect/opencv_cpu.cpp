#include "opencv_cpu.h"

#include <opencv2/core.hpp>

int descbench_cpu_uses(int feature) {
	switch (feature) {
	case descbench_avx512_skx:
		return cv::checkHardwareSupport(CV_CPU_AVX512_SKX);
	case descbench_avx2:
		return cv::checkHardwareSupport(CV_CPU_AVX2);
	case descbench_fma3:
		return cv::checkHardwareSupport(CV_CPU_FMA3);
	case descbench_avx:
		return cv::checkHardwareSupport(CV_CPU_AVX);
	case descbench_sse4_2:
		return cv::checkHardwareSupport(CV_CPU_SSE4_2);
	case descbench_sse4_1:
		return cv::checkHardwareSupport(CV_CPU_SSE4_1);
	case descbench_neon:
		return cv::checkHardwareSupport(CV_CPU_NEON);
	}
	return 0;
}

const char *descbench_opencv_version(void) {
	static const cv::String version = cv::getVersionString();
	return version.c_str();
}
