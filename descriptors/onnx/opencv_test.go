package onnx

import (
	"strings"
	"testing"
)

// OpenCV 4.6 gives other numbers for each of these than numpy, without an error.
func TestWhatOpenCVMisreadsIsRefusedByName(t *testing.T) {
	x, square := &Tensor{Shape: []int{1, 3, 9, 9}, Float: make([]float32, 243)}, &Tensor{Shape: []int{5, 5}, Float: make([]float32, 25)}
	for _, c := range []struct {
		op         string
		attributes map[string]any
		want       string // "": accepted
	}{
		{"MaxPool", map[string]any{"kernel_shape": []any{3., 3.}}, ""},
		{"MaxPool", map[string]any{"kernel_shape": []any{3., 3.}, "dilations": []any{1., 1.}}, ""},
		{"MaxPool", map[string]any{"kernel_shape": []any{3., 3.}, "dilations": []any{2., 2.}}, `node "out" (MaxPool): OpenCV ignores the dilations`},
		{"MaxPool", map[string]any{"auto_pad": "SAME_LOWER"}, `node "out" (MaxPool): OpenCV pads auto_pad SAME_LOWER like SAME_UPPER`},
		{"Conv", map[string]any{"auto_pad": "SAME_UPPER"}, ""},
		{"Conv", map[string]any{"auto_pad": "SAME_LOWER"}, `node "out" (Conv): OpenCV pads auto_pad SAME_LOWER like SAME_UPPER`},
		{"Gemm", map[string]any{"transB": 1.}, ""},
		{"Gemm", map[string]any{"transB": 0., "transA": 0., "alpha": 1., "beta": 1.}, ""},
		{"Gemm", nil, `node "out" (Gemm): OpenCV misreads a Gemm without transB`},
		{"Gemm", map[string]any{"transB": 1., "transA": 1.}, `node "out" (Gemm): OpenCV misreads a Gemm`},
		{"Gemm", map[string]any{"transB": 1., "alpha": 0.5}, `node "out" (Gemm): OpenCV misreads a Gemm`},
		{"Gemm", map[string]any{"transB": 1., "beta": 2.}, `node "out" (Gemm): OpenCV misreads a Gemm`},
		{"Softmax", map[string]any{"axis": 1.}, ""},
		{"LogSoftmax", nil, `node "out" (LogSoftmax): OpenCV misreads a LogSoftmax of an opset below 13 or without axis`},
	} {
		model := nodeCase{Op: c.op, Opset: 13, Attributes: c.attributes, Inputs: []*Tensor{x, square}}
		m, err := Read(model.model(true))
		if err != nil {
			t.Fatal(err)
		}
		_, err = m.Cut()
		if (err == nil) != (c.want == "") || err != nil && !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s %v: error %v, want %q", c.op, c.attributes, err, c.want)
		}
	}
}

func TestBatchNormalizationOfThreeDimensionsIsRefused(t *testing.T) {
	for _, shape := range [][]int{{2, 3}, {2, 3, 1}, {2, 3, 1, 1}} {
		one := &Tensor{Shape: []int{3}, Float: []float32{1, 1, 1}}
		model := nodeCase{Op: "BatchNormalization", Opset: 13, Inputs: []*Tensor{{Shape: shape, Float: make([]float32, 6)}, one, one, one, one}}
		g, err := Read(model.model(true))
		if err != nil {
			t.Fatal(err)
		}
		p := &Program{graph: g, steps: []step{{nodes: g.nodes, in: "in0"}}, Pieces: 1}
		_, err = p.Run(model.Inputs[0], func(_ int, in *Tensor) (*Tensor, error) { return in, nil })
		if refused := err != nil && strings.Contains(err.Error(), `node "out" (BatchNormalization): OpenCV drops elements`); refused != (len(shape) == 3) {
			t.Errorf("shape %v: error %v", shape, err)
		}
	}
}

// A model that cannot be divided must not go to OpenCV as a whole if it has nodes
// that OpenCV misreads, such as reductions with the axes as an input.
func TestAModelThatCannotBeDividedIsRefused(t *testing.T) {
	node := func(op, out string, in ...string) []byte {
		var n []byte
		for _, name := range in {
			n = appendBytes(n, nodeInput, []byte(name))
		}
		return appendBytes(appendBytes(n, nodeOutput, []byte(out)), nodeOperation, []byte(op))
	}
	for _, c := range []struct{ first, want string }{{"Relu", ""}, {"Abs", `node "out" (MatMul): an operator that OpenCV runs needs one computed input`}} {
		inner := appendBytes(nil, graphNode, node(c.first, "a", "in"))
		inner = appendBytes(inner, graphNode, node("MatMul", "out", "in", "a"))
		inner = appendBytes(appendBytes(inner, graphInput, valueInfo("in", []int{2, 2})), graphOutput, valueInfo("out", nil))
		m, err := Read(appendBytes(appendBytes(nil, modelOpset, appendInt(nil, opsetVersion, 13)), modelGraph, inner))
		if err != nil {
			t.Fatal(err)
		}
		p, err := m.Cut()
		if c.want == "" && (err != nil || p.whole == nil) || c.want != "" && (err == nil || !strings.HasPrefix(err.Error(), c.want)) {
			t.Errorf("%s: error %v, want %q", c.first, err, c.want)
		}
	}
}
