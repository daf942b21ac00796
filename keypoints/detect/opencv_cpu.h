#ifndef DESCBENCH_OPENCV_CPU_H
#define DESCBENCH_OPENCV_CPU_H

/* Information about OpenCV that gocv does not provide. */

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

/* Returns 1 if OpenCV uses code for the CPU feature, else 0. */
int descbench_cpu_uses(int feature);

/* Returns the version of the loaded library. The caller does not free it. */
const char *descbench_opencv_version(void);

#ifdef __cplusplus
}
#endif

#endif
