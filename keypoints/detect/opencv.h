#ifndef DESCBENCH_OPENCV_H
#define DESCBENCH_OPENCV_H

/* What gocv does not provide of OpenCV as a whole. */

#ifdef __cplusplus
extern "C" {
#endif

/* Returns 1 if OpenCV uses code for the level of this number, counted as levels of
   opencv.go is, else 0. */
int descbench_cpu_uses(int level);

/* Returns the version of the loaded library. The caller does not free it. */
const char *descbench_opencv_version(void);

/* Keeps the memory of large freed matrices for the next ones. */
void descbench_keep_memory(void);

/* Returns the memory that is kept to the system. */
void descbench_free_memory(void);

#ifdef __cplusplus
}
#endif

#endif
