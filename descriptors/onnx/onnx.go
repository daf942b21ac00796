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

import "fmt"

// A Model is what Read finds in a file. Its nodes are in the order in which they run.
type Model struct {
	file      []byte
	frame     []byte // the fields of the model apart from its graph
	opset     int64  // version of the standard operators
	nodes     []*node
	constants map[string]constant
	inputs    []value // without weights
	outputs   []string
}

// A value is an input with the shape that the model declares; 0 is variable.
type value struct {
	name  string
	shape []int
}

// Inputs returns the shapes of a model's inputs, without its weights. A
// dimension of 0 is variable.
func (m *Model) Inputs() [][]int {
	var shapes [][]int
	for _, v := range m.inputs {
		shapes = append(shapes, v.shape)
	}
	return shapes
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

// fault returns an error of a node while it is read.
func (n *node) fault(err error) error { return fmt.Errorf("node %.100q: %w", n.op, err) }

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
