package onnx

// An operator computes the output of a node from its inputs, as the ONNX operator
// specification (opsets 7 to 18) defines it. Inputs that are left out are nil. It
// does not change its inputs.
type operator func(n *node, in []*Tensor) (*Tensor, error)

// operators are the operators that run in Go. Those that work on large tensors
// with many operations per element are missing, and all that OpenCV runs as well.
var operators = map[string]operator{
	// elementwise.go
	"Add": binary2(kernels{add[float32], add[int64]}), "Sub": binary2(kernels{sub[float32], sub[int64]}),
	"Mul": binary2(kernels{mul[float32], mul[int64]}), "Div": divide, "Pow": power,
	"Max": variadic(kernels{greater[float32], greater[int64]}), "Min": variadic(kernels{lesser[float32], lesser[int64]}),
	"Equal": equal, "Where": where, "Clip": clip,
	"Abs": unary(absolute), "Neg": unary(negative), "Sqrt": unary(root), "Reciprocal": unary(reciprocal),
	// reduce.go
	"ReduceMean": reduce(mean), "ReduceSum": reduce(sum), "ReduceProd": reduce(product), "ReduceL1": reduce(l1), "ReduceL2": reduce(l2),
	"ReduceSumSquare": reduce(sumSquare), "ReduceMax": reduce(maximum), "ReduceMin": reduce(minimum),
	// shape.go
	"Shape": shapeOf, "Reshape": reshape, "Squeeze": squeeze, "Unsqueeze": unsqueeze, "Expand": expand, "Transpose": transpose,
	"Identity": identity, "Dropout": dropout, "Cast": cast, "ConstantOfShape": constantOfShape,
	// slice.go
	"Concat": concat, "Gather": gather, "Slice": slice, "Pad": pad,
	// normalize.go
	"InstanceNormalization": instanceNormalization, "LpNormalization": lpNormalization, "AveragePool": averagePool,
}

// arity is the smallest number of inputs of operators that need more than one.
var arity = map[string]int{
	"Add": 2, "Sub": 2, "Mul": 2, "Div": 2, "Pow": 2, "Equal": 2, "Where": 3,
	"Reshape": 2, "Expand": 2, "Gather": 2, "InstanceNormalization": 3,
}

// operator returns what computes a node in Go; nil if nothing does.
func (n *node) operator() operator {
	run := operators[n.op]
	switch {
	case run == nil || n.domain != "":
		return nil
	case n.op == "AveragePool" && len(n.attributes["kernel_shape"].ints) == 2 && !n.padded():
		return nil // of images, which OpenCV pools
	}
	for i := range max(1, arity[n.op]) {
		if !n.has(i) {
			return nil
		}
	}
	return run
}
