#include "features2d.h"

#include <cstdlib>
#include <cstring>
#include <exception>
#include <vector>

#include <opencv2/features2d.hpp>

namespace {

// Runs make, which returns a detector, and applies the detector to the image.
// Does not throw.
template <typename Make> descbench_found find(const void *image, Make make) {
	descbench_found found = {nullptr, 0, nullptr};
	try {
		std::vector<cv::KeyPoint> detected;
		make()->detect(*static_cast<const cv::Mat *>(image), detected);
		if (detected.empty())
			return found;
		auto *out = static_cast<descbench_keypoint *>(std::malloc(detected.size() * sizeof(descbench_keypoint)));
		if (!out)
			throw std::bad_alloc();
		for (size_t i = 0; i < detected.size(); i++) {
			const cv::KeyPoint &k = detected[i];
			out[i] = {k.pt.x, k.pt.y, k.size, k.angle, k.response, k.octave, k.class_id};
		}
		found.keypoints = out;
		found.count = static_cast<int>(detected.size());
	} catch (const std::exception &e) {
		found.error = strdup(e.what());
	} catch (...) {
		found.error = strdup("unknown exception");
	}
	return found;
}

} // namespace

void descbench_free(descbench_found found) {
	std::free(found.keypoints);
	std::free(found.error);
}

descbench_found descbench_gftt(const void *image, descbench_gftt_params p) {
	return find(image, [&] {
		return cv::GFTTDetector::create(p.max_corners, p.quality_level, p.min_distance, p.block_size,
		                                p.gradient_size, p.use_harris_detector != 0, p.k);
	});
}

descbench_found descbench_mser(const void *image, descbench_mser_params p) {
	return find(image, [&] {
		cv::Ptr<cv::MSER> mser = cv::MSER::create(p.delta, p.min_area, p.max_area, p.max_variation, p.min_diversity,
		                                          p.max_evolution, p.area_threshold, p.min_margin, p.edge_blur_size);
		mser->setPass2Only(p.pass2_only != 0);
		return mser;
	});
}
