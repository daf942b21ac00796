#ifndef DESCBENCH_OPENCV_MEMORY_H
#define DESCBENCH_OPENCV_MEMORY_H

/* Memory of OpenCV's matrices. */

#ifdef __cplusplus
extern "C" {
#endif

/* Keeps the memory of large freed matrices for the next ones. */
void descbench_keep_memory(void);

/* Returns the memory that is kept to the system. */
void descbench_free_memory(void);

#ifdef __cplusplus
}
#endif

#endif
