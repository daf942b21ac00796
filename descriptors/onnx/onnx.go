// Package onnx reads ONNX models and runs the parts of patch networks that
// OpenCV's dnn module does not.
//
// OpenCV 4.6 runs convolutions, pooling, rectifiers and inner products well, but
// refuses or misreads most of what PyTorch's exporter writes for the
// normalisation of patches, activations and descriptors: reductions over chosen
// axes, broadcasting, Shape, Expand and Reshape by computed shapes, Clip with its
// limits as inputs, Pow, LpNormalization. Rewriting all of that into what one
// version of OpenCV accepts would need the shape of every tensor and a rule per
// pattern. Instead, Cut divides the model by operator:
//
//   - Nodes without computed input are evaluated once, which removes constants
//     that the exporter left as nodes.
//   - Nodes of the operators in this package (see operators.go) are steps in Go. They
//     follow the operator specification, whatever version of OpenCV is installed,
//     and see real shapes, so it does not matter how a shape was exported: as a
//     constant, or computed by Shape, Gather and Concat from a dynamic batch.
//   - All other nodes go to OpenCV in pieces. A piece is a chain of nodes with one
//     computed input and one output; it is a model of its own with the original
//     nodes and weights.
//
// A model without nodes for Go is one piece: the original bytes.
package onnx

import (
	"fmt"
	"math"
)

// A graph is what a model says, in the order of its nodes.
type graph struct {
	frame     []byte // the fields of the model apart from its graph
	opset     int64  // version of the standard operators
	nodes     []*node
	constants map[string]constant
	inputs    []string // without weights
	outputs   []string
}

// A node is one operator with its operands.
type node struct {
	name, op, domain string
	in, out          []string
	attributes       map[string]attribute
	message          []byte // NodeProto
	opset            int64  // of the model
}

func (n *node) String() string {
	name := n.name
	if name == "" && len(n.out) > 0 {
		name = n.out[0]
	}
	return fmt.Sprintf("node %.100q (%.50s)", name, n.op)
}

// An attribute has the values of the fields that it uses.
type attribute struct {
	f      float32
	i      int64
	s      string
	ints   []int64
	tensor []byte // TensorProto
}

// A constant is a weight, as in the model or computed. One of both is set.
type constant struct {
	message []byte // TensorProto
	tensor  *Tensor
}

// Field numbers in onnx.proto, besides those in check.go.
const (
	modelOpset      = 8 // ModelProto.opset_import
	opsetDomain     = 1 // OperatorSetIdProto.domain
	opsetVersion    = 2 // OperatorSetIdProto.version
	nodeName        = 3 // NodeProto.name
	nodeDomain      = 7 // NodeProto.domain
	attributeFloat  = 2 // AttributeProto.f
	attributeInt    = 3 // AttributeProto.i
	attributeString = 4 // AttributeProto.s
	attributeInts   = 8 // AttributeProto.ints
	graphName       = 2 // GraphProto.name
	elementType     = 1 // TypeProto.Tensor.elem_type
	typeFloat       = 1 // TensorProto.DataType.FLOAT
	typeInt64       = 7 // TensorProto.DataType.INT64
)

// parse reads a model that Check accepts.
func parse(model []byte) (*graph, error) {
	g := &graph{constants: map[string]constant{}}
	var inner []byte
	err := fields(model, func(f field) error {
		if f.number == modelGraph {
			inner = f.content
			return nil
		}
		g.frame = appendField(g.frame, f)
		if f.number == modelOpset {
			domain, err := textOf(f.content, opsetDomain)
			if err != nil || domain != "" {
				return err
			}
			return fields(f.content, func(f field) error {
				if f.number == opsetVersion {
					g.opset = int64(f.value)
				}
				return nil
			})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var inputs []string
	err = fields(inner, func(f field) error {
		switch f.number {
		case graphNode:
			n, err := parseNode(f.content)
			g.nodes = append(g.nodes, n)
			return err
		case graphInitializer:
			name, err := textOf(f.content, tensorName)
			g.constants[name] = constant{message: f.content}
			return err
		case graphInput:
			name, err := textOf(f.content, valueName)
			inputs = append(inputs, name)
			return err
		case graphOutput:
			name, err := textOf(f.content, valueName)
			g.outputs = append(g.outputs, name)
			return err
		}
		return nil
	})
	for _, n := range g.nodes {
		n.opset = g.opset
	}
	for _, name := range inputs {
		if _, weight := g.constants[name]; !weight {
			g.inputs = append(g.inputs, name)
		}
	}
	return g, err
}

func parseNode(message []byte) (*node, error) {
	n := &node{message: message, attributes: map[string]attribute{}}
	err := fields(message, func(f field) error {
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
			name, a, err := parseAttribute(f.content)
			n.attributes[name] = a
			return err
		}
		return nil
	})
	if n.domain == "ai.onnx" { // another name of the standard operators
		n.domain = ""
	}
	return n, err
}

func parseAttribute(message []byte) (name string, a attribute, err error) {
	err = fields(message, func(f field) (err error) {
		switch f.number {
		case attributeName:
			name = string(f.content)
		case attributeFloat:
			if len(f.content) != 4 {
				return errMessage
			}
			a.f = math.Float32frombits(le32(f.content))
		case attributeInt:
			a.i = int64(f.value)
		case attributeString:
			a.s = string(f.content)
		case attributeInts:
			a.ints, err = f.integers(a.ints)
		case attributeTensor:
			a.tensor = f.content
		}
		return err
	})
	return name, a, err
}

// float and the functions below return an attribute, or the default of the
// operator specification.
func (n *node) float(name string, otherwise float32) float32 {
	if a, ok := n.attributes[name]; ok {
		return a.f
	}
	return otherwise
}

func (n *node) int(name string, otherwise int64) int64 {
	if a, ok := n.attributes[name]; ok {
		return a.i
	}
	return otherwise
}

func (n *node) text(name, otherwise string) string {
	if a, ok := n.attributes[name]; ok {
		return a.s
	}
	return otherwise
}

// states reports whether a node has an attribute.
func (n *node) states(name string) bool {
	_, ok := n.attributes[name]
	return ok
}

// has reports whether a node has an input, which may be left out or empty.
func (n *node) has(input int) bool { return input < len(n.in) && n.in[input] != "" }
