package onnx

import (
	"errors"
	"fmt"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// Field numbers in onnx.proto.
const (
	modelGraph         = 7  // ModelProto.graph
	modelOpset         = 8  // ModelProto.opset_import
	opsetDomain        = 1  // OperatorSetIdProto.domain
	opsetVersion       = 2  // OperatorSetIdProto.version
	graphNode          = 1  // GraphProto.node
	graphName          = 2  // GraphProto.name
	graphInitializer   = 5  // GraphProto.initializer
	graphInput         = 11 // GraphProto.input
	graphOutput        = 12 // GraphProto.output
	graphSparse        = 15 // GraphProto.sparse_initializer
	nodeInput          = 1  // NodeProto.input
	nodeOutput         = 2  // NodeProto.output
	nodeName           = 3  // NodeProto.name
	nodeOperation      = 4  // NodeProto.op_type
	nodeAttribute      = 5  // NodeProto.attribute
	nodeDomain         = 7  // NodeProto.domain
	attributeName      = 1  // AttributeProto.name
	attributeFloat     = 2  // AttributeProto.f
	attributeInt       = 3  // AttributeProto.i
	attributeString    = 4  // AttributeProto.s
	attributeTensor    = 5  // AttributeProto.t
	attributeGraph     = 6  // AttributeProto.g
	attributeInts      = 8  // AttributeProto.ints
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
	valueName          = 1  // ValueInfoProto.name
	valueType          = 2  // ValueInfoProto.type
	typeTensor         = 1  // TypeProto.tensor_type
	elementType        = 1  // TypeProto.Tensor.elem_type
	tensorTypeShape    = 2  // TypeProto.Tensor.shape
	shapeDim           = 1  // TensorShapeProto.dim
	dimValue           = 1  // TensorShapeProto.Dimension.dim_value
)

// maxDeclaredLength bounds a dimension of an input.
const maxDeclaredLength = 1 << 31

// Read reads a model. It keeps parts of the given bytes.
//
// OpenCV trusts a model: with a node whose input does not exist, or a tensor with
// less data than its shape needs, it reads outside its memory. Therefore Read
// checks every tensor, and that every node reads only what exists before it.
func Read(model []byte) (*Model, error) {
	if len(model) == 0 || len(model) > math.MaxInt32 {
		return nil, fmt.Errorf("model of %d bytes, want 1 to %d", len(model), math.MaxInt32)
	}
	graph, err := submessage(model, modelGraph)
	if err != nil {
		return nil, err
	}
	m := &Model{file: model, constants: map[string]constant{}}
	if err := m.readFrame(); err != nil {
		return nil, err
	}
	inputs, err := m.readGraph(graph)
	if err != nil {
		return nil, err
	}
	if len(m.nodes) == 0 {
		return nil, errMessage
	}
	return m, m.connect(inputs)
}

// readFrame reads all but the graph.
func (m *Model) readFrame() error {
	return fields(m.file, func(f field) error {
		if f.number == modelGraph {
			return nil
		}
		m.frame = append(m.frame, f.whole...)
		if f.number != modelOpset {
			return nil
		}
		domain, err := textOf(f.content, opsetDomain)
		if err != nil || domain != "" {
			return err
		}
		return fields(f.content, func(f field) error {
			if f.number == opsetVersion {
				m.opset = int64(f.value)
			}
			return nil
		})
	})
}

// readGraph returns the inputs, which may be weights too.
func (m *Model) readGraph(graph []byte) (inputs []value, err error) {
	err = fields(graph, func(f field) error {
		if f.wire != protowire.BytesType { // as all fields of a GraphProto
			return errMessage
		}
		switch f.number {
		case graphInitializer:
			t, err := readTensor(f.content)
			if err != nil {
				return fmt.Errorf("weights %.100q: %w", t.name, err)
			}
			if _, ok := m.constants[t.name]; ok {
				return errTwice(t.name)
			}
			m.constants[t.name] = constant{message: f.content}
		case graphInput:
			v, err := readValue(f.content)
			inputs = append(inputs, v)
			return err
		case graphOutput:
			name, err := textOf(f.content, valueName)
			m.outputs = append(m.outputs, name)
			return err
		case graphNode:
			n, err := readNode(f.content)
			if err != nil {
				return n.fault(err)
			}
			m.nodes = append(m.nodes, n)
		case graphSparse:
			return errors.New("sparse weights are not supported")
		}
		return nil
	})
	return inputs, err
}

// connect checks that all that is read exists before.
func (m *Model) connect(inputs []value) error {
	known := map[string]bool{}
	for name := range m.constants {
		known[name] = true
	}
	listed := map[string]bool{}
	for _, v := range inputs {
		if listed[v.name] || v.name == "" {
			return fmt.Errorf("two inputs are named %.100q", v.name)
		}
		listed[v.name] = true
		known[v.name] = true
		if _, weight := m.constants[v.name]; !weight { // before format version 4 weights were inputs too
			m.inputs = append(m.inputs, v)
		}
	}
	for _, n := range m.nodes {
		n.opset = m.opset
		for _, name := range n.in {
			if name != "" && !known[name] { // "" stands for an optional input
				return n.fault(fmt.Errorf("its input %.100q is neither an input of the model, nor a weight, nor the output of an earlier node", name))
			}
		}
		for _, name := range n.out {
			if name != "" && known[name] {
				return n.fault(errTwice(name))
			}
			known[name] = true
		}
	}
	for _, name := range m.outputs {
		if !known[name] {
			return fmt.Errorf("no node produces the output %.100q", name)
		}
	}
	return nil
}

func errTwice(name string) error { return fmt.Errorf("two tensors are named %.100q", name) }

// readValue reads a ValueInfoProto.
func readValue(message []byte) (v value, err error) {
	if v.name, err = textOf(message, valueName); err != nil {
		return v, err
	}
	shape, err := submessage(message, valueType, typeTensor, tensorTypeShape)
	if err != nil {
		return v, err
	}
	err = fields(shape, func(dim field) error {
		if dim.number != shapeDim {
			return nil
		}
		size := 0
		err := fields(dim.content, func(f field) error {
			if f.number == dimValue && f.value < maxDeclaredLength {
				size = int(f.value)
			}
			return nil
		})
		v.shape = append(v.shape, size)
		return err
	})
	return v, err
}

// readNode reads a NodeProto. With an error, the node has what was read before.
func readNode(message []byte) (*node, error) {
	n := &node{message: message, attributes: map[string]attribute{}}
	err := fields(message, func(f field) error {
		switch f.number {
		case nodeInput, nodeOutput, nodeAttribute:
			if f.wire != protowire.BytesType {
				return errMessage
			}
		}
		switch f.number {
		case nodeInput:
			n.in = append(n.in, string(f.content))
		case nodeOutput:
			n.out = append(n.out, string(f.content))
		case nodeName:
			n.name = string(f.content)
		case nodeOperation:
			n.op = string(f.content)
		case nodeDomain:
			n.domain = string(f.content)
		case nodeAttribute:
			name, a, err := readAttribute(f.content)
			if err != nil {
				return fmt.Errorf("attribute %.100q: %w", name, err)
			}
			n.attributes[name] = a
		}
		return nil
	})
	if n.domain == "ai.onnx" { // another name of the standard operators
		n.domain = ""
	}
	return n, err
}

// readAttribute reads an AttributeProto.
func readAttribute(message []byte) (name string, a attribute, err error) {
	tensors := 0
	err = fields(message, func(f field) (err error) {
		switch f.number {
		case attributeName:
			name = string(f.content)
		case attributeFloat:
			if f.wire != protowire.Fixed32Type {
				return errMessage
			}
			a.f = math.Float32frombits(le32(f.content))
		case attributeInt:
			a.i = int64(f.value)
		case attributeString:
			a.s = string(f.content)
		case attributeInts:
			a.ints, err = f.integers(a.ints)
		case attributeGraph, attributeGraphs:
			return errors.New("nodes with subgraphs are not supported")
		case attributeTensor, attributeTensors:
			if tensors++; tensors > 1 || f.wire != protowire.BytesType { // a parser would merge them
				return errMessage
			}
			if f.number == attributeTensor {
				a.tensor = f.content
			}
			_, err = readTensor(f.content)
		}
		return err
	})
	return name, a, err
}

// A tensorMessage is a TensorProto. Its numbers are either raw or in the field of its
// type; floats and doubles are bytes.
type tensorMessage struct {
	name            string
	shape           []int
	kind            uint64 // TensorProto.DataType
	raw             []byte
	floats, doubles []byte
	int32s, int64s  []int64
}

const (
	typeFloat  = 1
	typeInt32  = 6
	typeInt64  = 7
	typeDouble = 11
)

// tensorTypes are the element types that OpenCV reads, by TensorProto.DataType: the
// bytes of a raw element, and the numbers in the field of the type.
var tensorTypes = map[uint64]struct {
	bytes int
	held  func(t *tensorMessage) int
}{
	typeFloat:  {4, func(t *tensorMessage) int { return len(t.floats) / 4 }},
	2:          {1, (*tensorMessage).heldInt32s}, // UINT8
	3:          {1, (*tensorMessage).heldInt32s}, // INT8
	typeInt32:  {4, (*tensorMessage).heldInt32s},
	typeInt64:  {8, func(t *tensorMessage) int { return len(t.int64s) }},
	10:         {2, (*tensorMessage).heldInt32s}, // FLOAT16
	typeDouble: {8, func(t *tensorMessage) int { return len(t.doubles) / 8 }},
}

func (t *tensorMessage) heldInt32s() int { return len(t.int32s) }

// readTensor reads a TensorProto and checks that it has the data that its shape needs.
// With an error, the tensor has what was read before.
func readTensor(message []byte) (t tensorMessage, err error) {
	var dims []int64
	err = fields(message, func(f field) (err error) {
		switch f.number {
		case tensorName:
			t.name = string(f.content)
		case tensorType:
			t.kind = f.value
		case tensorDims:
			dims, err = f.integers(dims)
		case tensorRaw:
			if f.wire != protowire.BytesType {
				return errMessage
			}
			t.raw = f.content // the last one counts
		case tensorFloats:
			t.floats, err = f.numbers(t.floats, 4)
		case tensorDoubles:
			t.doubles, err = f.numbers(t.doubles, 8)
		case tensorInt32s:
			t.int32s, err = f.integers(t.int32s)
		case tensorInt64s:
			t.int64s, err = f.integers(t.int64s)
		case tensorExternal, tensorDataLocation:
			return errors.New("external weights are not supported; store them in the model file")
		}
		return err
	})
	if err != nil {
		return t, err
	}
	if t.shape, err = shapeFrom(dims); err != nil {
		return t, err
	}
	of, ok := tensorTypes[t.kind]
	if !ok {
		return t, fmt.Errorf("element type %d of onnx.proto is not supported", t.kind)
	}
	raw, values, want := len(t.raw), of.held(&t), count(t.shape)
	if !(values == 0 && raw == want*of.bytes || raw == 0 && values == want) {
		return t, fmt.Errorf("its shape %v needs %d numbers of %d bytes, found %d bytes and %d numbers", t.shape, want, of.bytes, raw, values)
	}
	return t, nil
}
