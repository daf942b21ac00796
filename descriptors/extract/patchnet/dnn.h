#ifndef DESCBENCH_DNN_H
#define DESCBENCH_DNN_H

/*
 * OpenCV's dnn module as far as it is used here. gocv's own binding does not
 * compile against OpenCV 4.6.
 *
 * No function throws. Where one fails, error is a message that the caller frees
 * with free(), or NULL if there is no memory even for that.
 */

#ifdef __cplusplus
extern "C" {
#endif

typedef struct descbench_net descbench_net;

typedef struct {
	descbench_net *net; /* NULL if loading failed */
	char *error;
} descbench_loaded;

/* Loads an ONNX model from its bytes, which need not outlive the call, for
   OpenCV's own code on the CPU. */
descbench_loaded descbench_net_load(const char *model, int size);

void descbench_net_free(descbench_net *net);

/* What a net returned. It belongs to the net and holds until that runs again or
   is freed. */
typedef struct {
	int ok; /* 0 if it failed: then the net is fit for nothing but freeing */
	const float *values;
	const int *shape; /* dims numbers */
	int dims;
	char *error;
} descbench_output;

/* Runs the network on n inputs of channels x side x side numbers each. Only one
   net at a time runs silently, without OpenCV printing to stderr what it throws
   as well; loading is silent too. */
descbench_output descbench_net_run(descbench_net *net, const float *input, int n, int channels, int side, int silent);

#ifdef __cplusplus
}
#endif

#endif
