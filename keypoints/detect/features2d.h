#ifndef DESCBENCH_FEATURES2D_H
#define DESCBENCH_FEATURES2D_H

/* Detectors whose parameters gocv does not expose completely. */

#ifdef __cplusplus
extern "C" {
#endif

/* cv::KeyPoint */
struct descbench_keypoint {
	float x, y, size, angle, response;
	int octave, class_id;
};

/* The result of a detector: its keypoints, or the message of an exception. */
struct descbench_found {
	struct descbench_keypoint *keypoints;
	int count;
	char *error; /* NULL: no error */
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

/* image is a cv::Mat and is only read. */
struct descbench_found descbench_gftt(const void *image, struct descbench_gftt_params p);
struct descbench_found descbench_mser(const void *image, struct descbench_mser_params p);

#ifdef __cplusplus
}
#endif

#endif
