#ifndef DESCBENCH_OPENCV_CPU_H
#define DESCBENCH_OPENCV_CPU_H

/* What gocv does not tell about OpenCV. */

#ifdef __cplusplus
extern "C" {
#endif

enum {
	descbench_avx512_skx,
	descbench_avx2,
	descbench_fma3,
	descbench_avx,
	descbench_sse4_2,
	descbench_sse4_1,
	descbench_neon
};

/* Whether OpenCV chooses code for the CPU feature: 1 or 0. */
int descbench_cpu_uses(int feature);

/* The version of the running library. The caller does not free it. */
/* Makes malloc map large blocks, so that freeing them gives them back at once. */
void descbench_give_back_memory(void);

const char *descbench_opencv_version(void);

#ifdef __cplusplus
}
#endif

#endif
