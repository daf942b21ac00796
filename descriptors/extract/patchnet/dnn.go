package patchnet

/*
#cgo !windows pkg-config: opencv4
#include <stdlib.h>
#include "dnn.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"descbench/descriptors/onnx"
)

// A loaded is a model loaded by OpenCV. It is not safe for concurrent use. After an
// error of run it can only be closed.
type loaded struct{ net *C.descbench_net }

// load loads an ONNX model that onnx.Read accepts. The name is for the message if OpenCV
// crashes. The caller closes it.
func load(name string, model []byte) (loaded, error) {
	text := C.CString(name)
	defer C.free(unsafe.Pointer(text))
	result := C.descbench_net_load(text, (*C.char)(unsafe.Pointer(&model[0])), C.int(len(model)))
	if result.net == nil {
		return loaded{}, takeError(result.error)
	}
	return loaded{result.net}, nil
}

func (l loaded) close() { C.descbench_net_free(l.net) }

// run returns the model's output.
func (l loaded) run(input *onnx.Tensor) (*onnx.Tensor, error) {
	if len(input.Float) == 0 {
		return nil, fmt.Errorf("input of shape %v, want at least one number", input.Shape)
	}
	shape := make([]C.int, len(input.Shape))
	for i, size := range input.Shape {
		shape[i] = C.int(size)
	}
	result := C.descbench_net_run(l.net, (*C.float)(&input.Float[0]), &shape[0], C.int(len(shape)))
	if result.ok == 0 {
		return nil, takeError(result.error)
	}
	if result.values == nil {
		return &onnx.Tensor{}, nil
	}
	output, total := &onnx.Tensor{}, 1
	for _, size := range unsafe.Slice(result.shape, int(result.dims)) {
		output.Shape = append(output.Shape, int(size))
		total *= int(size)
	}
	output.Float = slices.Clone(unsafe.Slice((*float32)(result.values), total))
	return output, nil
}

// takeError returns OpenCV's message as one line and frees it.
func takeError(message *C.char) error {
	if message == nil {
		return errors.New("no memory")
	}
	defer C.free(unsafe.Pointer(message))
	return errors.New(strings.Join(strings.Fields(C.GoString(message)), " "))
}
