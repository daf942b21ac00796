#ifndef DESCBENCH_DNN_H
#define DESCBENCH_DNN_H

/*
 * The parts of OpenCV's dnn module used here. gocv's own binding does not
 * compile against OpenCV 4.6.
 *
 * No function throws. If one fails, error is a message that the caller frees
 * with free(), or NULL if there is not enough memory for the message. If OpenCV
 * crashes, the process ends with status 3 and a line that names the model.
 */

#ifdef __cplusplus
extern "C" {
#endif

typedef struct descbench_net descbench_net;

typedef struct {
	descbench_net *net; /* NULL if loading failed */
	char *error;
} descbench_loaded;

/* Loads an ONNX model from its bytes for OpenCV's own CPU backend. The bytes
   are not used after the call. The name is for messages. */
descbench_loaded descbench_net_load(const char *name, const char *model, int size);

void descbench_net_free(descbench_net *net);

/* The output of a net. The net owns it; it is valid until the net runs again or
   is freed. */
typedef struct {
	int ok; /* 0 if it failed: the net can then only be freed */
	const float *values;
	const int *shape; /* dims numbers */
	int dims;
	char *error;
} descbench_output;

/* Runs the network on an input whose shape has dims numbers. */
descbench_output descbench_net_run(descbench_net *net, const float *input, const int *shape, int dims);

#ifdef __cplusplus
}
#endif

#endif
