#ifndef DESCBENCH_FEATURES2D_H
#define DESCBENCH_FEATURES2D_H

/* The detectors that gocv does not give all parameters of. */

#ifdef __cplusplus
extern "C" {
#endif

/* cv::KeyPoint */
struct descbench_keypoint {
	float x, y, size, angle, response;
	int octave, class_id;
};

/* What a detector returns: its keypoints, or the message of an exception. */
struct descbench_found {
	struct descbench_keypoint *keypoints;
	int count;
	char *error; /* NULL: none */
};

/* Frees what found points to. */
void descbench_free(struct descbench_found found);

struct descbench_gftt_params {
	int max_corners;
	double quality_level, min_distance;
	int block_size, gradient_size, use_harris_detector;
	double k;
};

struct descbench_mser_params {
	int delta, min_area, max_area;
	double max_variation, min_diversity;
	int max_evolution;
	double area_threshold, min_margin;
	int edge_blur_size, pass2_only;
};

/* image is a cv::Mat that is only read. */
struct descbench_found descbench_gftt(const void *image, struct descbench_gftt_params p);
struct descbench_found descbench_mser(const void *image, struct descbench_mser_params p);

#ifdef __cplusplus
}
#endif

#endif
