package onnx

import (
	"errors"
	"fmt"
	"math"
)

// OpenCV trusts a model: with a node whose input does not exist, or a tensor with
// less data than its shape needs, it reads outside its memory. Therefore the
// graph is checked before OpenCV reads it.

// Field numbers in onnx.proto.
const (
	modelGraph         = 7  // ModelProto.graph
	graphNode          = 1  // GraphProto.node
	graphInitializer   = 5  // GraphProto.initializer
	graphInput         = 11 // GraphProto.input
	graphOutput        = 12 // GraphProto.output
	graphSparse        = 15 // GraphProto.sparse_initializer
	nodeInput          = 1  // NodeProto.input
	nodeOutput         = 2  // NodeProto.output
	nodeOperation      = 4  // NodeProto.op_type
	nodeAttribute      = 5  // NodeProto.attribute
	attributeName      = 1  // AttributeProto.name
	attributeTensor    = 5  // AttributeProto.t
	attributeGraph     = 6  // AttributeProto.g
	attributeTensors   = 10 // AttributeProto.tensors
	attributeGraphs    = 11 // AttributeProto.graphs
	tensorDims         = 1  // TensorProto.dims
	tensorType         = 2  // TensorProto.data_type
	tensorFloats       = 4  // TensorProto.float_data
	tensorInt32s       = 5  // TensorProto.int32_data
	tensorInt64s       = 7  // TensorProto.int64_data
	tensorName         = 8  // TensorProto.name
	tensorRaw          = 9  // TensorProto.raw_data
	tensorDoubles      = 10 // TensorProto.double_data
	tensorExternal     = 13 // TensorProto.external_data
	tensorDataLocation = 14 // TensorProto.data_location
)

// Check checks a model's tensors, and that every node reads only what
// exists before it.
func Check(model []byte) error {
	if len(model) == 0 || len(model) > math.MaxInt32 {
		return fmt.Errorf("model of %d bytes, want 1 to %d", len(model), math.MaxInt32)
	}
	graph, err := submessage(model, modelGraph)
	if err != nil {
		return err
	}
	known := map[string]bool{}
	define := func(name string) error {
		if known[name] {
			return fmt.Errorf("two tensors are named %.100q", name)
		}
		known[name] = true
		return nil
	}
	var inputs, outputs []string
	nodes := 0
	err = fields(graph, func(f field) error {
		switch f.number {
		case graphInitializer:
			name, err := checkTensor(f)
			if err != nil {
				return fmt.Errorf("weights %.100q: %w", name, err)
			}
			return define(name)
		case graphInput, graphOutput:
			name, err := textOf(f.content, valueName)
			if f.number == graphInput {
				inputs = append(inputs, name)
			} else {
				outputs = append(outputs, name)
			}
			return err
		case graphNode:
			nodes++
		case graphSparse:
			return errors.New("sparse weights are not supported")
		}
		return nil
	})
	if err != nil {
		return err
	}
	if nodes == 0 {
		return errMessage
	}
	listed := map[string]bool{}
	for _, name := range inputs {
		if listed[name] || name == "" {
			return fmt.Errorf("two inputs are named %.100q", name)
		}
		listed[name] = true
		known[name] = true // before format version 4 weights were inputs too
	}
	err = fields(graph, func(f field) error {
		if f.number != graphNode {
			return nil
		}
		return checkNode(f, known, define)
	})
	if err != nil {
		return err
	}
	for _, name := range outputs {
		if !known[name] {
			return fmt.Errorf("no node produces the output %.100q", name)
		}
	}
	return nil
}

// checkNode checks that a node reads only known tensors, and defines its outputs.
func checkNode(node field, known map[string]bool, define func(string) error) error {
	operation, err := textOf(node.content, nodeOperation)
	if err != nil || node.wire != wireBytes {
		return errMessage
	}
	var outputs []string
	err = fields(node.content, func(f field) error {
		switch f.number {
		case nodeInput, nodeOutput, nodeAttribute:
			if f.wire != wireBytes {
				return errMessage
			}
		}
		switch name := string(f.content); f.number {
		case nodeInput:
			if name != "" && !known[name] { // "" stands for an optional input
				return fmt.Errorf("its input %.100q is neither an input of the model, nor a weight, nor the output of an earlier node", name)
			}
		case nodeOutput:
			outputs = append(outputs, name)
		case nodeAttribute:
			return checkAttribute(f.content)
		}
		return nil
	})
	for _, name := range outputs {
		if err == nil && name != "" {
			err = define(name)
		}
	}
	if err != nil {
		return fmt.Errorf("node %.100q: %w", operation, err)
	}
	return nil
}

func checkAttribute(attribute []byte) error {
	name, err := textOf(attribute, attributeName)
	if err != nil {
		return err
	}
	tensors := 0
	err = fields(attribute, func(f field) error {
		switch f.number {
		case attributeGraph, attributeGraphs:
			return errors.New("nodes with subgraphs are not supported")
		case attributeTensor, attributeTensors:
			if tensors++; tensors > 1 { // a parser would merge them
				return errMessage
			}
			_, err := checkTensor(f)
			return err
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("attribute %.100q: %w", name, err)
	}
	return nil
}

// checkTensor checks that a tensor has the data that its shape needs, and returns
// its name.
func checkTensor(tensor field) (name string, err error) {
	if tensor.wire != wireBytes {
		return "", errMessage
	}
	var shape []int64
	kind := uint64(0)
	held := map[int]int{} // elements or, of raw data, bytes
	err = fields(tensor.content, func(f field) (err error) {
		switch f.number {
		case tensorName:
			name = string(f.content)
		case tensorType:
			kind = f.value
		case tensorDims:
			shape, err = f.integers(shape)
		case tensorRaw:
			held[f.number] = len(f.content) // the last one counts
		case tensorFloats:
			held[f.number] += len(f.content) / 4
		case tensorDoubles:
			held[f.number] += len(f.content) / 8
		case tensorInt32s, tensorInt64s:
			values, err := f.integers(nil)
			held[f.number] += len(values)
			return err
		case tensorExternal, tensorDataLocation:
			return errors.New("external weights are not supported; store them in the model file")
		}
		return err
	})
	if err != nil {
		return name, err
	}
	count, err := elements(shape)
	if err != nil {
		return name, err
	}
	// The numbers of a type are either raw or in one kind of field.
	of, ok := tensorTypes[kind]
	if !ok {
		return name, fmt.Errorf("element type %d of onnx.proto is not supported", kind)
	}
	raw, values := held[tensorRaw], held[of.field]
	if !(values == 0 && raw == count*of.bytes || raw == 0 && values == count) {
		return name, fmt.Errorf("its shape %v needs %d numbers of %d bytes, found %d bytes and %d numbers", shape, count, of.bytes, raw, values)
	}
	return name, nil
}

// tensorTypes are the element types that OpenCV reads, by TensorProto.DataType.
var tensorTypes = map[uint64]struct{ bytes, field int }{
	1:  {4, tensorFloats}, // FLOAT
	2:  {1, tensorInt32s}, // UINT8
	3:  {1, tensorInt32s}, // INT8
	6:  {4, tensorInt32s}, // INT32
	7:  {8, tensorInt64s}, // INT64
	10: {2, tensorInt32s}, // FLOAT16
	11: {8, tensorDoubles},
}

// elements returns the number of elements of a shape.
func elements(shape []int64) (int, error) {
	count := int64(1)
	for _, n := range shape {
		if n < 0 || n > math.MaxInt32 || n > 0 && count > math.MaxInt32/n {
			return 0, fmt.Errorf("its shape %v is impossible or too large", shape)
		}
		count *= n
	}
	return int(count), nil
}

// textOf returns the text in a field of a message.
func textOf(message []byte, number int) (text string, err error) {
	err = fields(message, func(f field) error {
		if f.number == number {
			text = string(f.content)
		}
		return nil
	})
	return text, err
}
