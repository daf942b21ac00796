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
)

// A network is a model loaded by OpenCV. It is not safe for concurrent use.
// After an error of run it can only be closed.
type network struct{ net *C.descbench_net }

// loadNetwork loads an ONNX model that checkGraph accepts. The caller closes it.
func loadNetwork(model []byte) (network, error) {
	loaded := C.descbench_net_load((*C.char)(unsafe.Pointer(&model[0])), C.int(len(model)))
	if loaded.net == nil {
		return network{}, takeError(loaded.error)
	}
	return network{loaded.net}, nil
}

func (n network) close() { C.descbench_net_free(n.net) }

// run returns the network's output and its shape for count inputs of
// channels×side×side numbers each, stored in input. With trial set, OpenCV does
// not print a failure, and only one trial runs at a time.
func (n network) run(input []float32, count, channels, side int, trial bool) (output []float32, shape []int, err error) {
	if count <= 0 || len(input) != count*channels*side*side {
		return nil, nil, fmt.Errorf("%d input numbers, want %d×%d×%d×%d", len(input), count, channels, side, side)
	}
	silent := C.int(0)
	if trial {
		silent = 1
	}
	result := C.descbench_net_run(n.net, (*C.float)(&input[0]), C.int(count), C.int(channels), C.int(side), silent)
	if result.ok == 0 {
		return nil, nil, takeError(result.error)
	}
	if result.values == nil {
		return nil, nil, nil
	}
	total := 1
	for _, size := range unsafe.Slice(result.shape, int(result.dims)) {
		shape = append(shape, int(size))
		total *= int(size)
	}
	return slices.Clone(unsafe.Slice((*float32)(result.values), total)), shape, nil
}

// takeError returns OpenCV's message as one line and frees it.
func takeError(message *C.char) error {
	if message == nil {
		return errors.New("no memory")
	}
	defer C.free(unsafe.Pointer(message))
	return errors.New(strings.Join(strings.Fields(C.GoString(message)), " "))
}
