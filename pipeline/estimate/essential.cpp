#include "essential.h"

#include <algorithm>
#include <cstdio>

#include <opencv2/calib3d.hpp>

int descbench_pose(const double *first, const double *other, int n, int method, double threshold, double confidence,
                   int iterations, double pose[12], char *message, int size) {
	try {
		const cv::Mat p(n, 2, CV_64F, const_cast<double *>(first)), q(n, 2, CV_64F, const_cast<double *>(other));
		const cv::Mat identity = cv::Mat::eye(3, 3, CV_64F);
		cv::Mat mask;
		const cv::Mat all = cv::findEssentialMat(p, q, identity, method, confidence, threshold, iterations, mask);
		int most = 0;
		// One mask for all matrices, which each call overwrites, as SuperGlue does.
		for (int row = 0; row + 3 <= all.rows; row += 3) {
			cv::Mat r, t;
			const int inliers = cv::recoverPose(all.rowRange(row, row + 3), p, q, identity, r, t, 1e9, mask);
			if (inliers > most) {
				most = inliers;
				std::copy_n(r.ptr<double>(), 9, pose);
				std::copy_n(t.ptr<double>(), 3, pose + 9);
			}
		}
		return most;
	} catch (const std::exception &e) {
		std::snprintf(message, size, "%s", e.what());
		return -1;
	}
}
