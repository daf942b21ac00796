package patchnet

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// checkInput checks the input shape that a model declares, because OpenCV 4.6
// runs a convolutional model on patches of any size. OpenCV must have read the
// model already.
func (o Options) checkInput(model []byte) error {
	inputs, err := declaredInputs(model)
	if err != nil {
		return fmt.Errorf("read ONNX model: %w", err)
	}
	if len(inputs) != 1 {
		return fmt.Errorf("the ONNX model has %d inputs, want 1", len(inputs))
	}
	shape := inputs[0]
	want := []int{o.Batch, o.planes(), o.InputSize, o.InputSize}
	fits := len(shape) == len(want)
	for i := 1; fits && i < len(want); i++ { // OpenCV sets the batch size
		fits = shape[i] == 0 || shape[i] == want[i]
	}
	if !fits {
		return fmt.Errorf("the ONNX model's input has shape %v (0: variable), want %v (batch, channels, height, width)", shape, want)
	}
	return nil
}

// Field numbers in onnx.proto on the path to the shapes of inputs.
const (
	modelGraph        = 7  // ModelProto.graph
	graphInitializer  = 5  // GraphProto.initializer
	graphInput        = 11 // GraphProto.input
	tensorName        = 8  // TensorProto.name
	valueName         = 1  // ValueInfoProto.name
	valueType         = 2  // ValueInfoProto.type
	typeTensor        = 1  // TypeProto.tensor_type
	tensorTypeShape   = 2  // TypeProto.Tensor.shape
	shapeDim          = 1  // TensorShapeProto.dim
	dimValue          = 1  // TensorShapeProto.Dimension.dim_value
	wireVarint        = 0
	wireFixed64       = 1
	wireBytes         = 2
	wireFixed32       = 5
	maxDeclaredLength = 1 << 31
)

// declaredInputs returns the shapes of a model's inputs, without its weights. A
// dimension of 0 is variable.
func declaredInputs(model []byte) ([][]int, error) {
	graph, err := last(model, modelGraph)
	if err != nil {
		return nil, err
	}
	weights := map[string]bool{}
	var values [][]byte
	err = fields(graph, func(number int, _ uint64, content []byte) error {
		switch number {
		case graphInitializer:
			name, err := last(content, tensorName)
			weights[string(name)] = true
			return err
		case graphInput:
			values = append(values, content)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var shapes [][]int
	for _, value := range values {
		name, err := last(value, valueName)
		if err != nil {
			return nil, err
		}
		if weights[string(name)] {
			continue // before format version 4 weights were inputs too
		}
		shape, err := last(value, valueType, typeTensor, tensorTypeShape)
		if err != nil {
			return nil, err
		}
		dims, err := dimensions(shape)
		if err != nil {
			return nil, err
		}
		shapes = append(shapes, dims)
	}
	return shapes, nil
}

// dimensions returns the dimensions of a TensorShapeProto.
func dimensions(shape []byte) (dims []int, err error) {
	err = fields(shape, func(number int, _ uint64, dim []byte) error {
		if number != shapeDim {
			return nil
		}
		size := 0
		err := fields(dim, func(number int, value uint64, _ []byte) error {
			if number == dimValue && value < maxDeclaredLength {
				size = int(value)
			}
			return nil
		})
		dims = append(dims, size)
		return err
	})
	return dims, err
}

// last follows a path of field numbers, taking the last field of each number,
// and returns the content at its end; nil if it does not exist.
func last(message []byte, path ...int) ([]byte, error) {
	for _, want := range path {
		var found []byte
		err := fields(message, func(number int, _ uint64, content []byte) error {
			if number == want {
				found = content
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		message = found
	}
	return message, nil
}

var errMessage = errors.New("the file is corrupt")

// fields calls f for each field of a Protocol Buffers message with its number
// and its value (variable-length integers) or its content (length-delimited
// fields).
func fields(message []byte, f func(number int, value uint64, content []byte) error) error {
	for len(message) > 0 {
		key, n := binary.Uvarint(message)
		if n <= 0 {
			return errMessage
		}
		message = message[n:]
		var value uint64
		var content []byte
		switch key & 7 {
		case wireVarint:
			if value, n = binary.Uvarint(message); n <= 0 {
				return errMessage
			}
		case wireFixed64:
			n = 8
		case wireFixed32:
			n = 4
		case wireBytes:
			length, start := binary.Uvarint(message)
			if start <= 0 || length > uint64(len(message)-start) {
				return errMessage
			}
			n = start + int(length)
			content = message[start:n]
		default:
			return errMessage
		}
		if n > len(message) {
			return errMessage
		}
		message = message[n:]
		if err := f(int(key>>3), value, content); err != nil {
			return err
		}
	}
	return nil
}
