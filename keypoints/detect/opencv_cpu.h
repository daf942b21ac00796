#ifndef DESCBENCH_OPENCV_CPU_H
#define DESCBENCH_OPENCV_CPU_H

/* Information about OpenCV that gocv does not provide. */

#ifdef __cplusplus
extern "C" {
#endif

/* Returns 1 if OpenCV uses code for the level of this number, counted as levels of
   opencv.go is, else 0. */
int descbench_cpu_uses(int level);

/* Returns the version of the loaded library. The caller does not free it. */
const char *descbench_opencv_version(void);

#ifdef __cplusplus
}
#endif

#endif
