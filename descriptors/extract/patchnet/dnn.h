#ifndef DESCBENCH_DNN_H
#define DESCBENCH_DNN_H

/*
 * OpenCV's dnn module as far as it is used here. gocv's own binding does not
 * compile against OpenCV 4.6.
 *
 * No function throws. Where one fails it returns what is stated and sets *error
 * to a message that the caller frees with free(), or to NULL if there is no
 * memory even for that.
 */

#ifdef __cplusplus
extern "C" {
#endif

typedef struct descbench_net descbench_net;

/* Loads an ONNX model from its bytes, which need not outlive the call, for
   OpenCV's own code on the CPU. NULL if it fails. */
descbench_net *descbench_net_load(const char *model, int size, char **error);

void descbench_net_free(descbench_net *net);

/* Runs the network on n inputs of channels x side x side numbers each. The
   output and its shape, dims numbers, belong to the net and hold until it runs
   again or is freed. -1 if it fails, else 0. After a failure the net is fit
   for nothing but descbench_net_free. Only one net at a time runs silently,
   without OpenCV printing to stderr what it throws as well; loading is silent
   too. */
int descbench_net_run(descbench_net *net, const float *input, int n, int channels, int side, int silent,
                      const float **output, const int **shape, int *dims, char **error);

#ifdef __cplusplus
}
#endif

#endif
